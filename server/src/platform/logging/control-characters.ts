// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a browser or a log
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; tab and line feed stay
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Foreign text without ANSI sequences and without control and direction characters; tabs and line feeds stay. */
export function withoutControls(text: string): string {
  return text.replace(escapes, '').replace(controls, '')
}
