import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { placeWords } from '@quayside/values/yaml/place-words'
import { texts } from '../../texts.ts'
import type { Draft } from './drafts/drafts.ts'
import { type Path, problemOf, saidOf, writtenIn } from './fields/field-tree.ts'

interface Matters {
  yaml: string
  drafts: readonly Draft[]
  /** The fields of this very text, when the server has refused it. */
  refused: readonly FieldConfiguration[]
}

/** Why values cannot be accepted that nobody has to ask the server about, in words that name the field. */
export function whyClosed({ yaml, drafts, refused }: Matters): string | undefined {
  if (yaml.trim() === '') return texts.infrastructure.empty
  const told = drafts.find(({ says }) => says !== undefined)
  if (told !== undefined) return `${nameOf(told)}: ${told.says}`
  const found = problemIn(refused, [])
  return found && `${placeWords(found.path)}: ${found.message}`
}

function nameOf({ path, isName, text }: Draft): string {
  const where = placeWords(path)
  const entry = where.replace(/\.$/, '')
  return isName && text !== '' ? `${entry} “${text}”` : entry
}

/** The first field whose value breaks a rule of its own; what is not set asks for nothing. */
function problemIn(fields: readonly FieldConfiguration[], above: Path): { path: Path; message: string } | undefined {
  for (const [at, field] of fields.entries()) {
    if (saidOf(field).hidden) continue
    const path = [...above, field.name ?? at]
    const value = writtenIn(field)
    const message = field.type === 'object' || value === undefined ? undefined : problemOf(field, value)
    if (message !== undefined) return { path, message }
    const inner = problemIn(field.type === 'array' ? field.collections : field.objects, path)
    if (inner !== undefined) return inner
  }
  return undefined
}
