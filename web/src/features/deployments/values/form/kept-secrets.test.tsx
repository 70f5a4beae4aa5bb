import { fieldsOf } from '@quayside/values/form/fields'
import { changeValues, openValues } from '@quayside/values/form/values-model'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { drawInPortal } from '../../../../testing/portal.tsx'
import { countChanges } from './fields/field-tree.ts'
import { ValuesForm } from './values-form.tsx'

const defaults = 'password: ""\nname: web\nusers:\n- name: ada\n  token: none\nextra: {}\n'
const kept = defaults.replace('""', `"${secretMark}"`).replace('none', `"${secretMark}"`)

it('a secret that stays what it is counts as no change, in a list neither', () => {
  const count = (text: string) => countChanges(fieldsOf(text), fieldsOf(defaults))
  expect(count(kept)).toBe(0)
  expect(count(kept.replace('name: web', 'name: shop'))).toBe(1)
  expect(count(kept.replace('ada', 'bob'))).toBe(1)
  expect(count(kept.replace(`"${secretMark}"`, 'typed'))).toBe(1)
  expect(count(`${kept}more: "${secretMark}"\n`)).toBe(0)
})

it('inside of what is shown as YAML it counts as none as well', () => {
  const free = (word: string) => fieldsOf(`extra:\n  - a\n  - password: ${word}\n`)
  expect(free('x')[0]?.type).toBe('yaml')
  expect(countChanges(free(`"${secretMark}"`), free('x'))).toBe(0)
  expect(countChanges(free('y'), free('x'))).toBe(1)
})

it('its field is marked only once another one is typed', async () => {
  function Form() {
    const [model, setModel] = useState(() => openValues(kept, undefined))
    return (
      <ValuesForm
        values={{ model, edit: (path, change) => setModel(changeValues(model, path, change)) }}
        defaults={fieldsOf(defaults)}
        place={{ clusterId: 'c', spaceId: 's' }}
      />
    )
  }
  drawInPortal(<Form />)
  const password = await screen.findByLabelText<HTMLInputElement>('Password')
  expect(screen.queryByText('changed')).toBeNull()
  await userEvent.clear(password)
  await userEvent.type(password, 'another')
  await userEvent.tab()
  expect(await screen.findByText('changed')).toBeDefined()
})
