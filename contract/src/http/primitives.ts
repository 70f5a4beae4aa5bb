import { z } from 'zod'
import { longest, mostTags } from './limits.ts'

export const Id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'not an id')
export const ById = z.object({ id: Id })

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

export const DisplayName = nameOf(longest.displayName)

export const Tag = nameOf(40, 'Tag required')
export const Tags = z.array(Tag).max(mostTags)
export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as #3b6fd4')

/** Text of one or more lines, which may be empty. */
export const textOf = (max: number) => z.string().trim().max(max, `at most ${max} characters`)

export const Moment = z.iso.datetime({ offset: true, error: 'must be a date and time such as 2031-05-01T12:00:00Z' })
