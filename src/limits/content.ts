// Content of answers: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Characters of the metadata of a turn, as Codex sends it as JSON in a text: ids and a model. */
export const turnMetadataCharactersMax = 4_096;

/** Characters from which a text is examined for overhead: in shorter ones it is a handful of tokens. */
export const overheadCharactersMin = 1_000;

/** Characters of a JSON text examined for overhead in one go; a longer one counts as data. */
export const overheadCharactersMax = 256 * 1024;

/** Paragraphs and elements of instructions at the beginning of a text; later ones count as data. */
export const preambleParagraphsMax = 200;

/** Distinct columns recorded of a table. */
export const tableColumnsMax = 1_000;

/** Characters of a `data:` URL that are searched for its comma. */
export const dataUrlHeadCharactersMax = 256;

/** Bytes that hold the size of a PNG, GIF or WebP image. */
export const imageHeaderBytesMax = 64;

/**
 * Bytes of a JPEG that are searched for its frame header: a photograph puts up to 64 KiB each of EXIF with a
 * thumbnail, XMP, a colour profile and a preview index before it.
 */
export const jpegHeaderBytesMax = 256 * 1024;

/** Segments before the frame header of a JPEG; a colour profile has at most 255. */
export const jpegSegmentsMax = 512;

/** Bytes of a sound that are searched for its header; the chunks before the samples of a WAV are far shorter. */
export const audioHeaderBytesMax = 4_096;
