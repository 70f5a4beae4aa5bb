import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { texts } from '../../texts.ts'
import { ChangedValues } from './changed-values.tsx'

const t = texts.changed
const defaults = 'tanks: 1\npassword: tide4711\nname: pier\n'
const drawn = (after: string, than: keyof typeof t.than = 'defaults') =>
  render(<ChangedValues before={defaults} after={after} defaults={defaults} schema={null} than={than} />)

it.each([
  ['defaults', defaults, t.than.defaults.none],
  ['deployed', `# the same\n${defaults}`, t.than.deployed.none],
  ['deployed', 'tanks: [', t.unreadable],
] as const)('says that nothing differs, or that nobody can tell: %s, %#', (than, after, says) => {
  drawn(after, than)
  expect(document.body.textContent).toBe(says)
})

it.each([
  ['defaults', t.than.defaults],
  ['deployed', t.than.deployed],
] as const)('says how many settings differ, and on demand which, without secrets: %s', async (than, words) => {
  const { rerender } = drawn(defaults.replace('1\n', '2\n'), than)
  expect(screen.getByText(words.one)).toBeDefined()
  const after = 'tanks: 2\npassword: other1\nlamps: {north: true}\n'
  rerender(<ChangedValues before={defaults} after={after} defaults={defaults} schema={null} than={than} />)
  const summary = screen.getByText(words.many.replace('{n}', '4'))
  expect(summary.closest('details')?.open).toBe(false)
  await userEvent.click(summary)
  const list = screen.getByRole('list', { name: t.list })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'tanks: 1 → 2',
    'password: •••••••• → •••••••• (changed)',
    `lamps.north: ${t.notSet} → true`,
    `name: pier → ${t.notSet}`,
  ])
})

it('long texts are compared beside the page, which says so meanwhile', () => {
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener() {}
      postMessage() {}
      terminate() {}
    },
  )
  drawn(`${defaults}long: ${'x'.repeat(40_000)}\n`)
  expect(document.body.textContent).toBe(t.comparing)
})

it('of one setting it speaks as of one', () => {
  drawn(defaults.replace('pier', 'quay'))
  expect(screen.getByText(texts.changed.than.defaults.one)).toBeDefined()
})

it('of hundreds it names some and counts the rest', () => {
  drawn(defaults + Array.from({ length: 70 }, (_, index) => `more${index}: 1\n`).join(''))
  expect(screen.getByText(t.than.defaults.many.replace('{n}', '70'))).toBeDefined()
  expect(screen.getByText(t.more.replace('{n}', '20'))).toBeDefined()
})
