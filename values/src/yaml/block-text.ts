import { isMap, isNode, isScalar, isSeq, stringify } from 'yaml'
import { blockStart } from './edits.ts'
import { plainValue, type YamlDocument } from './yaml-document.ts'

/** The text of a node as it stands in the document, moved to the left margin; what is shared is written out. */
export function blockText(text: string, document: YamlDocument, node: unknown): string {
  if (!isNode(node) || !node.range) return ''
  if (isScalar(node) && node.value === null && node.range[0] === node.range[1]) return ''
  const column = node.range[0] - (text.lastIndexOf('\n', node.range[0] - 1) + 1)
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow
  const source = text.slice(isBlock ? blockStart(text, node) : node.range[0], node.range[1]).trimEnd()
  const own = isBlock ? outdented(source, column) : source
  return sharesWithOutside(own) ? stringify(plainValue(document, node)).trimEnd() : own
}

function outdented(source: string, column: number): string {
  const margin = ' '.repeat(column)
  return source
    .split('\n')
    .map((line, index) =>
      index > 0 && line.startsWith(margin) ? line.slice(column) : index > 0 ? line.trimStart() : line,
    )
    .join('\n')
}

function sharesWithOutside(source: string): boolean {
  return /(?:^|[\s:[{,-])[*&][^\s]/m.test(source)
}
