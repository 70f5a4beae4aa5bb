import { yamlLanguage } from '@codemirror/lang-yaml'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import type { Tree } from '@lezer/common'
import { expect, it } from 'vitest'
import { quickYaml, yaml } from './yaml-language.ts'

const section = (at: number) => `section${at}:\n  image:\n    tag: "1.${at}"\n  args:\n    - --level=info\n`
const text = Array.from({ length: 200 }, (_, at) => section(at)).join('')

const partsOf = ({ children }: Tree) => children.filter((child) => 'children' in child)
const nodesOf = (tree: Tree): Tree[] => [tree, ...partsOf(tree).flatMap(nodesOf)]

/** The share of a text that is taken from what was read before an edit. */
function kept(language: typeof yamlLanguage): number {
  const state = EditorState.create({ doc: text, extensions: [language] })
  const before = new Set(nodesOf(readAll(state)))
  const edit = state.update({ changes: { from: text.indexOf('"1.100"') + 2, insert: 'x' } })
  const lengthOf = (node: Tree): number =>
    before.has(node) ? node.length : partsOf(node).reduce((sum, part) => sum + lengthOf(part), 0)
  return lengthOf(readAll(edit.state)) / text.length
}

function readAll(state: EditorState): Tree {
  const tree = ensureSyntaxTree(state, state.doc.length, 60_000)
  if (tree === null) throw new Error('The text was not read to its end')
  return tree
}

it('reads what was touched, where the language as it comes reads all', () => {
  expect(kept(yamlLanguage)).toBeLessThan(0.1)
  expect(kept(quickYaml)).toBeGreaterThan(0.6)
})

it('reads to the end of a text of which only a part is asked for, or the rest could not be used again', () => {
  const reading = quickYaml.parser.startParse(text)
  reading.stopAt(100)
  let tree = reading.advance()
  while (tree === null) tree = reading.advance()
  expect(tree.length).toBe(text.length)
})

it('reads the same as the language as it comes, after any edit', () => {
  const inserts = ['x', '\n', ': ', '- ', ' # ', '"', '{', ']', '\n  a: 1\n', '|\n', '&a ', "'", '---\n', '']
  let seed = 11
  const below = (limit: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % limit
  }
  const short = text.slice(0, text.indexOf('section30:'))
  for (let round = 0; round < 20; round += 1) {
    let ours = EditorState.create({ doc: short, extensions: [yaml()] })
    for (let edit = 0; edit < 8; edit += 1) {
      const from = below(ours.doc.length)
      const to = Math.min(ours.doc.length, from + below(3))
      ours = ours.update({ changes: { from, to, insert: inserts[below(inserts.length)] ?? '' } }).state
      expect(String(readAll(ours))).toBe(String(yamlLanguage.parser.parse(ours.doc.toString())))
    }
  }
})
