import { changeValues, openValues } from '@quayside/values/form/values-model'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../../../testing/portal.tsx'
import { ValuesForm } from '../values-form.tsx'

function formOf(yaml: string) {
  const now = { text: yaml }
  function Form() {
    const [model, setModel] = useState(() => openValues(yaml, undefined))
    const edit: Parameters<typeof ValuesForm>[0]['values']['edit'] = (path, change) => {
      setModel((before) => {
        const next = changeValues(before, path, change)
        now.text = next.text
        return next
      })
    }
    return <ValuesForm values={{ model, edit }} defaults={[]} place={{ clusterId: 'c', spaceId: 's' }} />
  }
  drawInPortal(<Form />)
  return now
}

const cities = ['Aden', 'Bergen', 'Cork', 'Dakar', 'Emden', 'Fowey', 'Genoa', 'Hull', 'Izmir', 'Jeddah', 'Kiel']
const select = (names: readonly string[], value: string) => `# @SELECT ${names.join('|')}\nport: ${value}\n`

it('ten options are the platform’s own select', async () => {
  const now = formOf(select(cities.slice(0, 10), 'Cork'))
  const port = await screen.findByLabelText<HTMLSelectElement>('Port')
  expect(port.tagName).toBe('SELECT')
  await userEvent.selectOptions(port, 'Hull')
  expect(now.text).toBe(select(cities.slice(0, 10), 'Hull'))
})

it('eleven options have a search, and need no mouse', async () => {
  const now = formOf(select(cities, 'Cork'))
  const port = await screen.findByRole('button', { name: 'Port Cork' })
  port.focus()
  await userEvent.keyboard('{Enter}')
  const search = await screen.findByLabelText<HTMLInputElement>('Search Port')
  expect(screen.getAllByRole('option')).toHaveLength(11)
  await userEvent.type(search, 'ie')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Kiel'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(now.text).toBe(select(cities, 'Kiel'))
  expect(screen.getByRole('button', { name: 'Port Kiel' })).toBeDefined()
})

it('a value that is none of the options stays until another one is chosen', async () => {
  const now = formOf(select(cities, 'Ystad'))
  await userEvent.click(await screen.findByRole('button', { name: 'Port Ystad' }))
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('Ystad')
  await userEvent.keyboard('{Escape}')
  expect(now.text).toBe(select(cities, 'Ystad'))
  await userEvent.click(screen.getByRole('button', { name: 'Port Ystad' }))
  await userEvent.click(screen.getByRole('option', { name: 'Aden' }))
  expect(now.text).toBe(select(cities, 'Aden'))
  await userEvent.click(screen.getByRole('button', { name: 'Port Aden' }))
  expect(screen.queryByRole('option', { name: 'Ystad' })).toBeNull()
})

it('the storage classes of a large cluster can be searched, and left to its default again', async () => {
  serving({
    'GET /cluster/v1/clusters/c/storageClasses': {
      data: cities.map((name) => ({ metadata: { name }, isDefault: name === 'Cork' })),
    },
  })
  const now = formOf('# @STORAGECLASS\nclass: ""\n')
  await waitFor(() => expect(screen.getByRole('button', { name: "Class The cluster's default" })).toBeDefined())
  await userEvent.click(screen.getByRole('button', { name: /^Class/ }))
  await userEvent.type(screen.getByLabelText('Search Class'), 'cork')
  await userEvent.click(screen.getByRole('option', { name: 'Cork (default)' }))
  expect(now.text).toContain('class: "Cork"')
  await userEvent.click(screen.getByRole('button', { name: 'Class Cork (default)' }))
  await userEvent.click(screen.getByRole('option', { name: "The cluster's default" }))
  expect(now.text).toContain('class: ""')
})
