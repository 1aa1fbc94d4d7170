// Content of answers: limits, each with its reason (docs/adr/0012-beyond-limits.md).

export const turnMetadataCharactersMax = 4_096;

// The overhead of shorter texts is a handful of tokens.
export const overheadCharactersMin = 1_000;

// A longer JSON text counts as data.
export const overheadCharactersMax = 256 * 1024;

// Later paragraphs count as data.
export const preambleParagraphsMax = 200;

export const tableColumnsMax = 1_000;

// Objects of one table have the same members, and no answer waits for their names.
export const tableRowsReadMax = 100;

// A larger number in the arguments is hardly a limit of rows, and records keep no other values of arguments.
export const rowLimitMax = 1_000_000_000;
export const dataUrlHeadCharactersMax = 256;
export const imageHeaderBytesMax = 64;

// Up to 64 KiB each of EXIF, XMP, colour profile and preview index before the frame header.
export const jpegHeaderBytesMax = 256 * 1024;

// Models get the first frame, after a colour table and comments.
export const gifFrameBytesMax = 64 * 1024;

// A colour profile has at most 255.
export const jpegSegmentsMax = 512;

// The chunks before the samples of a WAV are far shorter.
export const audioHeaderBytesMax = 4_096;
