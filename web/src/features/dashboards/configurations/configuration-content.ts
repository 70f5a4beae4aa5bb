import type { Configuration, ConfigurationInput } from '@quayside/contract/dashboards/library'
import { linesOfLinks, linkLinesHelp, linksIn } from '../link-lines.ts'
import { linesOfVariables, variablesIn } from './variable-lines.ts'

type EditedKind = 'links' | 'variables'
/** A configuration whose content is lines of text; the others are made by scripts. */
export type EditedConfiguration = Configuration & { kind: EditedKind }

const hasLines = (one: Configuration): one is EditedConfiguration => one.kind === 'links' || one.kind === 'variables'

/** Tells whether a configuration can be edited as lines: not where these would change it, such as a value with a line break. */
export function isEdited(one: Configuration): one is EditedConfiguration {
  if (!hasLines(one)) return false
  const { value } = inputOf(one.kind, one.name, linesOf(one), one)
  return JSON.stringify(pairsIn(value)) === JSON.stringify(pairsIn(one.value))
}

/** Names with what they stand for, in whichever order a link has its fields. */
const pairsIn = (value: Configuration['value']) =>
  Array.isArray(value) ? value.map((one) => ('url' in one ? [one.name, one.url] : [one.value])) : Object.entries(value)

/** The content of a configuration as lines. */
export function linesOf({ value }: EditedConfiguration): string {
  if (!Array.isArray(value)) return linesOfVariables(value as Record<string, string>)
  return linesOfLinks(value.filter((one) => 'url' in one))
}

/** The form of a line, and a sentence about the first line that has another one. */
export const lineRules: Readonly<
  Record<EditedKind, { help: string; problemIn: (text: string) => string | undefined }>
> = {
  links: { help: linkLinesHelp, problemIn: (text) => linksIn(text).problem },
  variables: {
    help: 'One per line: a name of letters and digits, = and a value',
    problemIn: (text) => variablesIn(text).problem,
  },
}

/** The configuration as it is sent; one that is there names the revision that was changed. */
export function inputOf(
  kind: EditedKind,
  name: string,
  text: string,
  there: EditedConfiguration | undefined,
): ConfigurationInput {
  const texts = {
    name,
    ...(there ? { id: there.id, baseRevision: there.revision } : {}),
    ...(there?.spaceId ? { spaceId: there.spaceId } : {}),
  }
  return kind === 'links'
    ? { ...texts, kind, value: linksIn(text).links }
    : { ...texts, kind, value: variablesIn(text).variables }
}
