import { changeValues, openValues } from '@quayside/values/form/values-model'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { drawInPortal } from '../../../../testing/portal.tsx'
import { texts } from '../../texts.ts'
import { ValuesForm } from './values-form.tsx'

function formOf(yaml: string, schema: unknown) {
  const now = { text: yaml }
  function Form() {
    const [model, setModel] = useState(() => openValues(yaml, schema))
    const edit: Parameters<typeof ValuesForm>[0]['values']['edit'] = (path, change) => {
      const next = changeValues(model, path, change)
      now.text = next.text
      setModel(next)
    }
    return <ValuesForm values={{ model, edit }} defaults={[]} place={{ clusterId: 'c', spaceId: 's' }} />
  }
  drawInPortal(<Form />)
  return now
}

const off = { title: 'Off', const: false }
const local = {
  title: 'Local',
  type: 'object',
  required: ['path', 'size', 'owner'],
  properties: { path: { type: 'string' }, size: { type: 'string' }, owner: { type: 'string' } },
}
const schema = {
  properties: {
    name: { type: 'string' },
    backup: { oneOf: [off, local] },
    zone: { type: 'string' },
    // Without any setting of its own.
    cache: { oneOf: [local, { title: 'None', type: 'object', maxProperties: 0 }] },
  },
}
const kindOf = (label: string) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `${texts.form.kindOf} ${label}` })
const groups = () => within(screen.getAllByRole('list')[0] as HTMLElement).getAllByRole('button')
const current = () => groups().find((group) => group.getAttribute('aria-current') === 'true')?.textContent
const order = () =>
  [...document.querySelectorAll('fieldset label, fieldset fieldset legend')].map((one) => one.textContent)

const text = 'name: x\nbackup: false\nzone: a\ncache:\n  path: ""\n  size: ""\n  owner: ""\n'

it('another form of a value leaves it in its group, in its place and focused', async () => {
  const now = formOf(text, schema)
  await userEvent.click(await screen.findByRole('button', { name: /^General/ }))
  const kind = kindOf('Backup')
  kind.focus()
  await userEvent.selectOptions(kind, 'Local')
  expect(now.text).toContain('backup:\n  path:')
  expect(current()).toMatch(/^General/)
  expect(groups().map(({ textContent }) => textContent?.replace(/\d+$/, ''))).toEqual(['General', 'Cache'])
  expect(order().filter((one) => ['Name', 'Backup', 'Zone'].includes(one ?? ''))).toEqual(['Name', 'Backup', 'Zone'])
  expect(document.activeElement).toBe(kindOf('Backup'))
  await userEvent.selectOptions(kindOf('Backup'), 'Off')
  expect(current()).toMatch(/^General/)
  expect(document.activeElement).toBe(kindOf('Backup'))
  expect(now.text).toBe(text)
})

it('a group whose choice asks for nothing stays, and what is asked for elsewhere opens no other group', async () => {
  formOf(text, schema)
  // It asks for most, so it is the one that is shown first.
  const kind = await screen.findByRole('combobox', { name: `${texts.form.kindOf} Cache` })
  await userEvent.selectOptions(kind, 'None')
  expect(current()).toMatch(/^Cache/)
  await userEvent.selectOptions(kindOf('Cache'), 'Local')
  expect(current()).toMatch(/^Cache/)
})

it('a setting that is chosen for the first time stays where it was offered', async () => {
  formOf('zone: a\n', { properties: { ...schema.properties, cache: undefined } })
  await userEvent.click(await screen.findByRole('button', { name: /^General/ }))
  const before = order().filter((one) => ['Name', 'Backup', 'Zone'].includes(one ?? ''))
  await userEvent.selectOptions(kindOf('Backup'), 'Local')
  expect(order().filter((one) => ['Name', 'Backup', 'Zone'].includes(one ?? ''))).toEqual(before)
  expect(current()).toMatch(/^General/)
})

it('draws a group of thousands piece by piece, and finds what is not drawn yet', async () => {
  const keys = Array.from({ length: 210 }, (_, at) => `key${at}`)
  formOf(`big:\n${keys.map((key) => `  ${key}: "x"`).join('\n')}\n`, undefined)
  // A selector finds it at once; by its role, the search through so many elements takes a second.
  const drawn = () => document.querySelectorAll('fieldset input').length
  const more = await screen.findByText(texts.form.more(10, 10))
  expect(drawn()).toBe(200)
  await userEvent.click(more)
  expect(drawn()).toBe(210)
  expect(screen.queryByText(/^Show /)).toBeNull()
  await userEvent.type(screen.getByPlaceholderText('Find a setting'), 'key209')
  expect(drawn()).toBe(1)
})
