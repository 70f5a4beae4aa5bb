/** Control characters, also the bidirectional ones, which turn the text beside them around. */
const unfit = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u

/** Tells whether a text has characters that no name has, by which it would pass for another on a page or in a log. */
export const isUnfit = (text: string): boolean => unfit.test(text)
