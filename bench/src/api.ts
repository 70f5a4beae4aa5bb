import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deployerOf } from './deployments/commands.ts'
import { type Started, withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { generate } from './requests/run-generate.ts'
import { median, quantile, round } from './statistics.ts'

const connections = 8
const seconds = 2
const rounds = 3
const appsWanted = 100

const lists = [
  { name: 'apps, 100 rows', path: '/portal-api/v2/apps?page.limit=100' },
  { name: 'catalog items', path: '/catalog/v2/items?page.limit=100' },
  { name: 'one space', path: '/portal-api/v2/spaces?page.limit=1' },
]

/** Lists through the whole stack against a bare node:http that answers the same bytes. */
export function api(): Promise<Report> {
  return withProduct(async (product) => {
    const token = await withApps(product)
    const rows: Report['rows'] = []
    for (const { name, path } of lists) {
      const url = product.url.replace('localhost', '127.0.0.1') + path
      const text = await textOf(product.url + path, token)
      rows.push(...(await inTurn(name, url, token, text)))
    }
    return {
      bench: 'api',
      columns: ['list', 'answered by', 'bytes', 'requests/s', 'p50 ms', 'p99 ms', 'ratio to the floor'],
      rows,
      notes: [
        `${connections} connections, ${seconds} s, ${rounds} rounds in turn, medians; asking is a process of its own on the same machine.`,
        'The floor is node:http with the bytes in memory: no token, no database, no JSON. Answers are not compressed.',
      ],
    }
  })
}

async function withApps(product: Started): Promise<string> {
  const deployer = await deployerOf(product, 'web-page')
  for (let at = 0; at < appsWanted; at += 10)
    await Promise.all(Array.from({ length: 10 }, (_, index) => deployer.assign(`App ${at + index}`)))
  return deployer.token
}

async function textOf(url: string, token: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 200)}`)
  return text
}

async function inTurn(name: string, url: string, token: string, text: string): Promise<Report['rows']> {
  const floor = fork(join(import.meta.dirname, 'requests/floor.ts'))
  try {
    floor.send(text)
    const [{ port }] = (await once(floor, 'message')) as [AddressInfo]
    const timesOf = async (from: string) => (await generate({ url: from, token, connections, seconds })).taken
    const ours: number[][] = []
    const theirs: number[][] = []
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timesOf(url))
      theirs.push(await timesOf(`http://127.0.0.1:${port}/`))
    }
    const rate = (all: number[][]) => median(all.map((taken) => taken.length / seconds))
    const row = (by: string, all: number[][]) => [
      name,
      by,
      Buffer.byteLength(text),
      round(rate(all)),
      round(median(all.map(median)), 2),
      round(median(all.map((taken) => quantile(taken, 0.99))), 2),
      round(rate(all) / rate(theirs), 3),
    ]
    return [row('portal', ours), row('node:http', theirs)]
  } finally {
    floor.disconnect()
  }
}
