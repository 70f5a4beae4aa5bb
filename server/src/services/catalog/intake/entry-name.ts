import { intakeLimits } from './limits.ts'
import { refuse } from './refuse.ts'

/** The parts of an entry's name. Refuses every name that could lead out of its archive or be read in two ways. */
export function partsOfName(name: string): string[] {
  const why = wrongWith(name)
  if (why) throw refuse(why, name)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > intakeLimits.depth) throw refuse(`It lies more than ${intakeLimits.depth} folders deep.`, name)
  return parts
}

function wrongWith(name: string): string | undefined {
  if (name.includes('\0')) return 'Its name holds a NUL character.'
  if (/\p{Cc}/u.test(name)) return 'Its name holds a control character.'
  if (name.includes('\\')) return 'Its name holds a backslash.'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'Its name is an absolute path.'
  if (name.split('/').includes('..')) return 'Its name leads out of the package (..).'
  if (name.length > 1000 || name.split('/').some((part) => part.length > 255)) return 'Its name is too long.'
  return undefined
}
