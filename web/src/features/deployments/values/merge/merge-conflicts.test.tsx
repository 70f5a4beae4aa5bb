import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { openValues } from '@quayside/values/form/values-model'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { texts } from '../../texts.ts'
import type { Choices } from './merge-choice.ts'
import { MergeConflicts } from './merge-conflicts.tsx'

const merge: ValuesMerge = {
  conflicts: [
    { path: ['replicas'], reason: 'changed', before: 1, yours: 3, theirs: 2 },
    { path: ['auth', 'word'], reason: 'removed', before: '', yours: '••••••••' },
    { path: ['extra'], reason: 'added', yours: 'mine', theirs: 'its own' },
  ],
  kept: [],
  taken: [],
  added: [],
  removed: [],
}
const start = 'replicas: 3 # enough\nauth:\n  word: "••••••••"\n  user: ann\nextra: mine\n'

function Drawn({ merge: given = merge, start: text = start }: { merge?: ValuesMerge; start?: string }) {
  const [choices, setChoices] = useState<Choices>({})
  const [yaml, setYaml] = useState(text)
  return (
    <>
      <MergeConflicts
        merge={given}
        choices={choices}
        yaml={yaml}
        onChoose={(next, text) => {
          setChoices(next)
          setYaml(text)
        }}
      />
      <textarea aria-label="text" value={yaml} onChange={(event) => setYaml(event.target.value)} />
    </>
  )
}

const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'text' }).value
const card = (name: string) => screen.getByRole('group', { name })
const sides = (name: string) => [...card(name).querySelectorAll('label')].map((label) => label.textContent)
const choose = (name: string, index: number) =>
  userEvent.click(card(name).querySelectorAll('input')[index] as HTMLInputElement)
const status = () => screen.getByRole('status').textContent

it('shows each side that there is, and nothing is chosen yet', () => {
  render(<Drawn />)
  expect(status()).toBe('3 to decide')
  expect(sides('replicas')).toEqual(['Old default1', 'Yours3', 'New default2'])
  expect(sides('auth.word')).toEqual(['Old default""', 'Yours••••••••', texts.merge.sides.gone])
  expect(sides('extra')).toEqual(['Yoursmine', 'New defaultits own'])
  expect(screen.queryAllByRole('radio', { checked: true })).toEqual([])
})

it("of a secret no side is shown, the chart's own neither, and each can be chosen all the same", async () => {
  const secret: ValuesMerge = {
    ...merge,
    conflicts: [
      { path: ['auth', 'password'], reason: 'changed', before: 'tide1', yours: '••••••••', theirs: 'tide2' },
      { path: ['code'], reason: 'changed', before: 'north1', yours: 'mine1', theirs: 'north2' },
      { path: ['users'], reason: 'changed', before: [], yours: [], theirs: [{ name: 'ann', token: 'west3' }] },
    ],
    secrets: [['code']],
  }
  render(<Drawn merge={secret} start={'auth:\n  password: "••••••••"\ncode: mine1\nusers: []\n'} />)
  const hidden = '••••••••'
  expect(sides('auth.password')).toEqual([`Old default${hidden}`, `Yours${hidden}`, `New default${hidden}`])
  expect(sides('code')).toEqual([`Old default${hidden}`, `Yours${hidden}`, `New default${hidden}`])
  expect(card('users').textContent).toContain('name: ann')
  expect(card('users').textContent).not.toContain('west3')
  await choose('auth.password', 2)
  await choose('code', 0)
  expect(text()).toContain('password: "tide2"\ncode: north1\n')
})

it('writes what is chosen and nothing else', async () => {
  render(<Drawn />)
  await choose('replicas', 2)
  await choose('auth.word', 2)
  await choose('extra', 0)
  expect(text()).toBe('replicas: 2 # enough\nauth:\n  user: ann\nextra: mine\n')
  expect(status()).toBe(texts.merge.done)
  await choose('replicas', 1)
  await choose('auth.word', 1)
  expect(text()).toContain('replicas: 3 # enough\n')
  expect(text()).toContain('word: "••••••••"')
  expect(status()).toBe(texts.merge.done)
})

it('one side can be chosen for all, and another one for one of them then', async () => {
  render(<Drawn />)
  await userEvent.click(screen.getByRole('button', { name: 'New default for all' }))
  expect(text()).toBe('replicas: 2 # enough\nauth:\n  user: ann\nextra: its own\n')
  expect(status()).toBe(texts.merge.done)
  await userEvent.click(screen.getByRole('button', { name: 'Yours for all' }))
  expect(openValues(text(), undefined).value).toEqual(openValues(start, undefined).value)
  await choose('extra', 1)
  expect(text()).toContain('extra: its own\n')
})

it('of a list it says where each side is another one, also where all of that is masked', () => {
  const users = [{ name: 'bob', password: '••••••••' }]
  const places = { yours: ['bob.password'], theirs: ['ann.password', 'bob.password'] }
  const conflict = { path: ['users'], reason: 'changed' as const, before: users, yours: users, theirs: users, places }
  render(<Drawn merge={{ ...merge, conflicts: [conflict] }} start={'users: []\n'} />)
  expect(sides('users').map((side) => side?.split('- name')[0])).toEqual([
    'Old default',
    'YoursChanged in bob.password',
    'New defaultChanged in ann.password, bob.password',
  ])
  expect(screen.queryByRole('button', { name: /for all/ })).toBeNull()
})

it('a value that somebody wrote by hand is a decision too', async () => {
  render(<Drawn />)
  const box = screen.getByRole('textbox', { name: 'text' })
  await userEvent.clear(box)
  await userEvent.type(box, 'replicas: 9')
  expect(card('replicas').textContent).toContain(texts.merge.other)
  expect(status()).toBe(texts.merge.done)
})
