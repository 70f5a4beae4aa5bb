import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

const columns = [
  { title: 'Name', text: ({ name }: { name: string }) => name },
  { title: 'Apps', text: ({ apps }: { apps?: number | null }) => apps },
]

it('quotes what would end a field, and writes nothing where nothing is', () => {
  expect(
    csvOf(columns as never, [
      { name: 'a "b", c\nd', apps: 3 },
      { name: 'الميناء', apps: null },
    ]),
  ).toBe('\ufeffName,Apps\r\n"a ""b"", c\nd",3\r\nالميناء,\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('a name that a spreadsheet would run is text: %j', (name) => {
  expect(csvOf(columns as never, [{ name }])).toContain(`'${name}`)
})
