export function pngOf(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\u0089PNG\r\n\u001a\n", 0, "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt8(8, 24);
  return bytes.toString("base64");
}
