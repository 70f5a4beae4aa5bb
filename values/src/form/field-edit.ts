import { isMap, isNode } from 'yaml'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord, scalarText } from '../yaml/scalar-text.ts'
import { type Path, pairOf, slotAt } from '../yaml/slot.ts'
import { type Change, rewritten, writtenFields } from '../yaml/write-field.ts'
import { type OpenText, openText, readYamlValue } from '../yaml/yaml-document.ts'

/** An edit of one place of the document by the form. */
export type FieldEdit =
  | { kind: 'value'; value: unknown }
  /** The text of a `yaml` field. */
  | { kind: 'yaml'; text: string }
  | { kind: 'remove' }
  | { kind: 'rename'; name: string }
  /** Another of the forms that the value may take. */
  | { kind: 'choose'; choice: number }

/** An edit as it is carried out in a text; of a choice the model knows what it means there. */
export type TextEdit =
  | Exclude<FieldEdit, { kind: 'choose' }>
  | { kind: 'rewrite'; rewrite: (before: OpenText, path: Path) => OpenText }

/** Does it, and touches no other byte. Throws YamlRefused when a text is not YAML. */
export function editField(before: OpenText, path: Path, edit: TextEdit): OpenText {
  if (edit.kind === 'rewrite') return edit.rewrite(before, path)
  if (edit.kind === 'value') return writtenFields(before, [{ path, value: edit.value }])
  if (edit.kind === 'yaml') return writeYaml(before, path, edit.text)
  return edit.kind === 'remove'
    ? writtenFields(before, [{ path, value: undefined }])
    : renameKey(before, path, edit.name)
}

/** Writes a sub-tree, also where only its comments or its style are others than before. */
function writeYaml(before: OpenText, path: Path, text: string): OpenText {
  const change = changeOfYaml(path, text)
  const isSame = change.lines !== undefined && sameValue(valueAt(before.value, path), change.value)
  return isSame ? rewritten(before, change) : writtenFields(before, [change])
}

/** A sub-tree as people wrote it: their lines are kept where they can stand as they are. */
export function changeOfYaml(path: Path, text: string): Change & { value: unknown } {
  const value = readYamlValue(text)
  const lines = text.trimEnd().split('\n')
  const isBlockText = typeof value === 'object' && value !== null && !/^\s*[[{&!*|>]/.test(text)
  return { path, value, ...(isBlockText && !text.startsWith(' ') ? { lines } : {}) }
}

/** Gives an entry of a map another name where it stands; a name that is taken leaves everything as it is. */
function renameKey(before: OpenText, path: Path, name: string): OpenText {
  const { text, document, value } = before
  const last = String(path.at(-1))
  const around = slotAt(text, document, path.slice(0, -1))
  const map = around?.depth === path.length - 1 ? around.slot.node : undefined
  const key = isMap(map) ? pairOf(map, last)?.key : undefined
  if (!isMap(map) || !isNode(key) || !key.range || pairOf(map, name)) return before
  const wanted = renamed(valueAt(value, path.slice(0, -1)), last, name)
  for (const quote of ['plain', 'double'] as const) {
    const result = openText(text.slice(0, key.range[0]) + scalarText(name, quote) + text.slice(key.range[1]))
    if (sameValue(valueAt(result.value, path.slice(0, -1)), wanted)) return result
  }
  return before
}

function renamed(map: unknown, from: string, to: string): unknown {
  if (!isRecord(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]))
}
