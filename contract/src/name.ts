import { z } from 'zod'

/** One line: no control characters, and none that show nothing or turn what stands beside them around. */
const line = /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u200c|\u200d|[\u{e0020}-\u{e007f}])*$/u
const inOneLine = 'no line ends, tabs or other characters that cannot be seen'
/** Fillers and the empty braille pattern count as letters and symbols, and show nothing. */
const shown = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** Text of one line that people read as the name of a thing; joiners, which emoji and some scripts need, may be in it. */
export const nameOf = (max: number, whenEmpty = 'Name required') =>
  z
    .string()
    .trim()
    .min(1, whenEmpty)
    .max(max, `at most ${max} characters`)
    .regex(line, inOneLine)
    .regex(shown, 'at least one character that can be seen')

export const DisplayName = nameOf(80)
