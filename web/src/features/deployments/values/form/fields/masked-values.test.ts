import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { yaml } from '../yaml/yaml-language.ts'
import { maskedValues } from './masked-values.ts'

let view: EditorView
afterEach(() => view.destroy())

const open = (doc: string, schema?: unknown) => {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc, extensions: [yaml(), maskedValues(() => schema)] }),
  })
}
const masked = () => [...view.dom.querySelectorAll('.cm-masked')].map(({ textContent }) => textContent)

it('shows nothing before it knows what is secret, and marks it then', async () => {
  open('# @MASKED\ncode: "tide 7"\nname: pier\npassword: hunter22\n')
  expect(view.dom.classList).toContain('cm-unread')
  await waitFor(() => expect(masked()).toEqual(['"tide 7"', 'hunter22']))
  expect(view.dom.classList).not.toContain('cm-unread')
})

it('a secret is one element, however it is coloured, with as many dots as any other', async () => {
  open('password: "hunter22"\ntoken: ab\n')
  await waitFor(() => expect(masked()).toHaveLength(2))
  const around = [...view.dom.querySelectorAll('.cm-masked')].map(({ parentElement }) => parentElement?.className)
  expect(around.every((name) => name?.includes('cm-line'))).toBe(true)
  const dots = [...view.dom.querySelectorAll('.cm-masked')].map((one) => getComputedStyle(one).fontSize)
  expect(dots).toEqual(['0px', '0px'])
})

it('asks the schema too', async () => {
  open('berth: north\n', { properties: { berth: { type: 'string', format: 'password' } } })
  await waitFor(() => expect(masked()).toEqual(['north']))
})

it('a text that is no YAML for the moment keeps the marks that it has, and a new secret gets its own', async () => {
  open('password: hunter22\nname: pier\n')
  await waitFor(() => expect(masked()).toEqual(['hunter22']))
  view.dispatch({ changes: { from: view.state.doc.length, insert: 'a: [' } })
  expect(masked()).toEqual(['hunter22'])
  view.dispatch({ changes: { from: view.state.doc.length - 4, to: view.state.doc.length, insert: 'token: anchor\n' } })
  await waitFor(() => expect(masked()).toEqual(['hunter22', 'anchor']))
})
