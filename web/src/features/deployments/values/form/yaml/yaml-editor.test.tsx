import { forceParsing } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { fireEvent, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { YamlEditor } from './yaml-editor.tsx'

const text = 'page:\n  title: Ships\n  port: 80\nlast: 1\n'

function open(onChange = vi.fn()) {
  render(<YamlEditor label="Values" value={text} onChange={onChange} />)
  const content = document.querySelector<HTMLElement>('.cm-content')
  const view = content && EditorView.findFromDOM(content)
  if (content === null || view === null) throw new Error('there is no editor')
  forceParsing(view, text.length, 5000)
  return { view, content, onChange }
}

it('folds an entry to its first line and opens it again, without changing the text', () => {
  const { view, content, onChange } = open()
  expect(document.querySelector('.cm-foldGutter')).not.toBeNull()
  view.dispatch({ selection: { anchor: 2 } })
  fireEvent.keyDown(content, { key: '{', code: 'BracketLeft', keyCode: 219, ctrlKey: true, shiftKey: true })
  expect(document.querySelector('.cm-foldPlaceholder')).not.toBeNull()
  expect(content.textContent).toContain('page:')
  expect(content.textContent).not.toContain('Ships')
  expect(content.textContent).toContain('last: 1')
  expect(view.state.doc.toString()).toBe(text)
  fireEvent.keyDown(content, { key: '}', code: 'BracketRight', keyCode: 221, ctrlKey: true, shiftKey: true })
  expect(content.textContent).toContain('title: Ships')
  expect(onChange).not.toHaveBeenCalled()
})

it('is dark, whatever the page around it is', () => {
  expect(open().view.state.facet(EditorView.darkTheme)).toBe(true)
})
