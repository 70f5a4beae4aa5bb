import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { fetchEcbFile, readEcbFile } from './ecb.ts'

const day = (date: string, usd: string) =>
  `<Cube time='${date}'><Cube currency='USD' rate='${usd}'/><Cube currency="JPY" rate="170.5"/></Cube>`
const file = (days: string) =>
  `<?xml version="1.0"?><gesmes:Envelope><gesmes:subject>Reference rates</gesmes:subject><Cube>${days}</Cube></gesmes:Envelope>`

test('the newest day counts', () => {
  const { asOf, perEuro } = readEcbFile(file(day('2031-05-02', '1.25') + day('2031-05-01', '1.20')))
  expect(asOf).toBe('2031-05-02')
  expect([...perEuro]).toEqual([
    ['USD', 1.25],
    ['JPY', 170.5],
  ])
})

test.each([
  ['no date', '<html>Sign in</html>', 'no date'],
  ['no rates', file("<Cube time='2031-05-02'></Cube>"), 'no rates'],
  ['a rate that is none', file("<Cube time='2031-05-02'><Cube currency='USD' rate='0'/></Cube>"), 'no rates'],
])('a file with %s is refused', (_, text, words) => {
  expect(() => readEcbFile(text)).toThrow(words)
})

test('a file is fetched, and one that is too large or not there is refused', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/large') response.end(`${file(day('2031-05-02', '1'))}${' '.repeat(2 ** 21)}`)
    else if (request.url === '/rates') response.end(file(day('2031-05-02', '1.25')))
    else response.writeHead(404).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  const at = (path: string) => fetchEcbFile(`http://127.0.0.1:${port}/${path}`)
  try {
    expect((await at('rates')).perEuro.get('USD')).toBe(1.25)
    await expect(at('large')).rejects.toThrow('larger')
    await expect(at('absent')).rejects.toThrow('404')
  } finally {
    await new Promise((done) => server.close(done))
  }
})
