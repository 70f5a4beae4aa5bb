import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { draw } from '../../testing/draw.tsx'
import { type Column, DataTable, type ServerColumn, type TableProps } from './data-table.tsx'

interface Fruit {
  name: string
  weight: number
}
const columns: Column<Fruit>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'weight', title: 'Weight', cell: ({ weight }) => weight, sortBy: ({ weight }) => weight },
]
const rows: Fruit[] = [
  { name: 'pear', weight: 9 },
  { name: 'fig', weight: 10 },
]
type More = Partial<Omit<Extract<TableProps<Fruit>, { sorts: 'all rows are here' }>, 'sorts'>>
const show = (more: More = {}) =>
  draw(
    <DataTable
      sorts="all rows are here"
      label="Fruit"
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      empty="Nothing"
      {...more}
    />,
  )
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

it('sorts up, down and back by its headings', async () => {
  show()
  const heading = screen.getByRole('button', { name: 'Weight' })
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(names()).toEqual(['fig', 'pear'])
  await userEvent.click(heading)
  expect(names()).toEqual(['pear', 'fig'])
  await userEvent.click(heading)
  expect(names()).toEqual(['fig', 'pear'])
  expect(screen.getByRole('columnheader', { name: 'Weight' }).getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(heading)
  expect(names()).toEqual(['pear', 'fig'])
})

it('keeps the layout while loading', () => {
  show({ rows: undefined })
  const table = screen.getByRole('table', { name: 'Fruit' })
  expect(table.parentElement?.getAttribute('aria-busy')).toBe('true')
  expect(within(table).getAllByRole('columnheader')).toHaveLength(2)
})

it('says what to do when it is empty, and what went wrong when it failed', async () => {
  show({ rows: [] })
  expect(screen.getByText('Nothing')).toBeDefined()
  cleanup()
  const onRetry = vi.fn()
  show({ rows: undefined, error: new ApiError(503, 'the database sleeps'), onRetry })
  expect(screen.getByRole('alert').textContent).toContain('Status code: 503')
  expect(screen.getByRole('alert').textContent).toContain('Reason: the database sleeps')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

it('keeps showing rows that it has when a later read fails', () => {
  show({ error: new ApiError(0, 'gone') })
  expect(names()).toEqual(['pear', 'fig'])
})

it('names each row menu after its row and does not open the row with it', async () => {
  const [onSelect, onRowClick] = [vi.fn(), vi.fn()]
  show({ rowMenu: () => [{ label: 'Eat', onSelect }], onRowClick })
  await userEvent.click(screen.getByRole('button', { name: 'Actions for fig' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Eat' }))
  expect(onSelect).toHaveBeenCalledOnce()
  expect(onRowClick).not.toHaveBeenCalled()
  await userEvent.click(screen.getByText('pear'))
  expect(onRowClick).toHaveBeenCalledWith(rows[0])
})

it('draws only the rows near the screen of a long list', () => {
  show({ rows: Array.from({ length: 10_000 }, (_, index) => ({ name: `fruit ${index}`, weight: index })) })
  expect(screen.queryAllByRole('rowheader').length).toBeLessThan(200)
})

it('leaves rows in the order of the server, and tells what is asked of it', async () => {
  const onSort = vi.fn()
  const pageColumns: ServerColumn<Fruit>[] = [
    { key: 'name', title: 'Name', cell: ({ name }) => name },
    { key: 'weight', title: 'Weight', cell: ({ weight }) => weight },
  ]
  draw(
    <DataTable
      sorts="the server"
      label="Fruit"
      columns={pageColumns}
      sortable={['name']}
      rows={rows}
      rowKey={({ name }) => name}
      empty="Nothing"
      sort="name"
      onSort={onSort}
    />,
  )
  expect(names()).toEqual(['pear', 'fig'])
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  expect(screen.queryByRole('button', { name: 'Weight' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(onSort).toHaveBeenCalledWith('-name')
  expect(names()).toEqual(['pear', 'fig'])
})

it('hides columns by choice, keeps that, and never the one that names the row', async () => {
  const more = { rowMenu: () => [{ label: 'Eat', onSelect: () => undefined }] }
  show(more)
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  expect(screen.queryByRole('menuitem', { name: /^Name/ })).toBeNull()
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Weight ?, shown/ }))
  expect(screen.queryByRole('columnheader', { name: 'Weight' })).toBeNull()
  cleanup()
  show(more)
  expect(screen.queryByRole('columnheader', { name: 'Weight' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Weight ?, hidden/ }))
  expect(screen.getByRole('columnheader', { name: 'Weight' })).toBeDefined()
})
