import { crc32, deflateSync } from "node:zlib";

export function png(width: number, height: number): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x7f);
  for (let y = 0; y < height; y += 1) rows[y * (width + 1)] = 0;
  const signature = Buffer.from("\u0089PNG\r\n\u001A\n", "latin1");
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND")];
  return Buffer.concat([signature, ...chunks]).toString("base64");
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

export function wav(seconds: number): string {
  const rate = 8_000;
  const length = rate * seconds;
  const file = Buffer.alloc(44 + length, 0x80);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + length, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(length, 40);
  return file.toString("base64");
}

export const smallImages = {
  gif: "R0lGODlhQAAwAPAAAH5+fgAAACH5BAAAAAAAIf8LSW1hZ2VNYWdpY2sOZ2FtbWE9MC40NTQ1NDUALAAAAABAADAAAAI5hI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbuC8fyTNf2jef6zvf+DwwKh8Si8YhMKpfMpvMJjSYLADs=",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/wAALCAAwAEABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AAAAAAAAAAAAAAAAA/9k=",
  webp: "UklGRkoAAABXRUJQVlA4TD4AAAAvP8ALAJmM6H9sYsCj/1Ew07aN+VNvu3NSkLYBU/+SdwUERf6PFmrTNmCcMoUc4kNadBwWh9xf+5P37YhLAw==",
} as const;

export const pdf = base64(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`);

export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><circle r="9"/></svg>';

export function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64");
}
