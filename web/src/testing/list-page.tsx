import type { Endpoint } from '@quayside/contract/http/endpoint'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { ReplyOf } from '../api/client.ts'
import { type Answers, answer, never, Refusal } from './portal.tsx'

interface ListPage<E extends Endpoint> {
  /** Draws the page on a server that answers this besides its own. */
  open: (answers: Answers) => unknown
  /** The call that reads its list, an answer with one row, and one without any. */
  list: E
  filled: ReplyOf<E>
  none: ReplyOf<E>
  /** The name of the table. */
  label: string
  /** Texts of the row, by the titles of the columns. */
  row: Record<string, string | RegExp>
  /** Title of the place that stands there when there is nothing. */
  empty: string
}

/** The states of a page with a table: rows under their titles, none, loading, failed and refused. */
export function testListPage<E extends Endpoint>({ open, list, filled, none, label, row, empty }: ListPage<E>): void {
  it('shows each fact of a row under its title', async () => {
    open(answer(list, filled))
    const table = await screen.findByRole('table', { name: label })
    await within(table).findAllByRole('rowheader')
    const titles = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent ?? '')
    const [, first] = within(table).getAllByRole('row')
    const cells = [...(first?.children ?? [])].map(({ textContent }) => textContent ?? '')
    const shown = Object.fromEntries(
      titles.map((title, at) => [title, cells[at]]).filter(([title = '']) => title in row),
    )
    expect(shown).toEqual(
      Object.fromEntries(
        Object.entries(row).map(([title, text]) => [
          title,
          text instanceof RegExp ? expect.stringMatching(text) : text,
        ]),
      ),
    )
  })

  it('says that there is nothing', async () => {
    open(answer(list, none))
    expect(await screen.findByText(empty)).toBeDefined()
    expect(screen.queryByRole('rowheader')).toBeNull()
  })

  it('is busy until the rows are there', async () => {
    open(answer(list, never))
    const table = await screen.findByRole('table', { name: label })
    expect(table.parentElement?.getAttribute('aria-busy')).toBe('true')
    expect(screen.queryByText(empty)).toBeNull()
  })

  it('says why it could not be read, and reads it again when asked', async () => {
    const answers = [new Refusal(500, 'The database is away')]
    open(answer(list, () => answers.shift() ?? filled))
    const alert = await screen.findByRole('alert', { name: new RegExp(`^${label}: `) })
    expect(alert.textContent).toContain('Reason: The database is away')
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByRole('table', { name: label })).toBeDefined())
    expect(await screen.findAllByRole('rowheader')).toHaveLength(1)
  })

  it('says what is missing when it is refused', async () => {
    open(answer(list, new Refusal(403, 'You need the role access')))
    const alert = await screen.findByRole('alert', { name: new RegExp(`^${label}: `) })
    expect(alert.textContent).toContain('Status code: 403')
    expect(alert.textContent).toContain('You need the role access')
  })
}
