import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { openValues } from '@quayside/values/form/values-model'
import { expect, it } from 'vitest'
import { knowledgeOf } from './value-facts.ts'
import { completions, knownAt, wordsOf } from './yaml-schema.ts'

const defaults = `name: web
auth:
  password: tide4711
  # @MASKED
  berth: north9
  same: tide4711
`
const schema = {
  properties: { port: { type: 'string', format: 'password', default: 'secret8' }, name: { type: 'string' } },
}
const knowledge = knowledgeOf(openValues(defaults, schema))

it.each([[['auth', 'password']], [['auth', 'berth']], [['auth', 'same']], [['port']]])(
  'of %s the view says nothing that stands there',
  (path) => {
    const said = wordsOf(knownAt(knowledge, path)).join('\n')
    expect(said).not.toMatch(/tide|north|secret8/)
    const text = path.map((part, depth) => `${'  '.repeat(depth)}${part}:`).join('\n')
    const state = EditorState.create({ doc: `${text} ` })
    const offered = completions(() => knowledge)(new CompletionContext(state, state.doc.length, true))
    expect(offered?.options ?? []).toEqual([])
  },
)

it('of everything else it says the default', () => {
  expect(wordsOf(knownAt(knowledge, ['name']))).toContain('Default: web')
})
