import type { Configuration, ConfigurationInput } from '@quayside/contract/dashboards/library'
import { linksIn } from '../link-lines.ts'
import { linesOfVariables, variablesIn } from './variable-lines.ts'

type EditedKind = 'links' | 'variables'
/** A configuration whose content is lines of text; the others are made by scripts. */
export type EditedConfiguration = Configuration & { kind: EditedKind }

export const isEdited = (one: Configuration): one is EditedConfiguration =>
  one.kind === 'links' || one.kind === 'variables'

/** The content of a configuration as lines. */
export function linesOf({ value }: EditedConfiguration): string {
  if (!Array.isArray(value)) return linesOfVariables(value as Record<string, string>)
  return value.map((one) => ('url' in one ? `${one.name} ${one.url}` : '')).join('\n')
}

/** The form of a line, and the first line that has another one, in words. */
export const lineRules: Readonly<Record<EditedKind, { help: string; wrongIn: (text: string) => string | undefined }>> =
  {
    links: {
      help: 'One link per line: the name, then a blank, then an address that begins with http:// or https://',
      wrongIn(text) {
        const { wrong } = linksIn(text)
        return wrong && `“${wrong}” has no address that begins with http:// or https://`
      },
    },
    variables: {
      help: 'One per line: a name of letters and digits, = and a value',
      wrongIn(text) {
        const { wrong } = variablesIn(text)
        return wrong && `“${wrong}” is not a variable such as team = shop, or repeats a name`
      },
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
