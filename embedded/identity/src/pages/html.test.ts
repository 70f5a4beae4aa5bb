import { expect, test } from 'vitest'
import { html } from './html.ts'

test('what is put in is text, unless it is markup already', () => {
  const name = `"><script>alert('x')</script>`
  expect(html`<b title="${name}">${name}</b>`.text).not.toContain('<script>')
  expect(html`<ul>${['a', '<b>'].map((each) => html`<li>${each}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
  expect(html`${undefined}${false}${0}`.text).toBe('0')
})
