import { withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { generate } from './requests/run-generate.ts'
import { median, quantile, round } from './statistics.ts'

const rounds = 3
const seconds = 3
const floodConnections = 200
const path = '/portal-api/v2/apps?page.limit=100'

/** One person's reads alone, and while another person of the same tenant keeps 200 under way. */
export function overload(): Promise<Report> {
  return withProduct(async (product) => {
    const tokenOf = () => product.tokenFor({ realmRoles: ['quayside-admin'] })
    const [one, flooder] = [await tokenOf(), await tokenOf()]
    const url = product.url.replace('localhost', '127.0.0.1') + path
    const use = async () => (await generate({ url, token: one, connections: 1, seconds })).taken
    const flood = () =>
      generate({ url, token: flooder, connections: floodConnections, seconds: seconds * 2, isRefusable: true })
    const [alone, beside, floods]: [number[][], number[][], { taken: number[]; refused: number }[]] = [[], [], []]
    for (let at = 0; at < rounds; at += 1) {
      alone.push(await use())
      const flooding = flood()
      beside.push(await use())
      floods.push(await flooding)
    }
    const of = (all: number[][], part: number) => median(all.map((taken) => quantile(taken, part)))
    const row = (name: string, all: number[][]) => [
      name,
      round(of(all, 0.5), 2),
      round(of(all, 0.99), 2),
      round(of(all, 0.5) / of(alone, 0.5), 2),
    ]
    const answered = floods.reduce((sum, { taken }) => sum + taken.length, 0)
    const refused = floods.reduce((sum, each) => sum + each.refused, 0)
    return {
      bench: 'overload',
      columns: ['reads of one person', 'p50 ms', 'p99 ms', 'ratio to alone'],
      rows: [row('alone', alone), row('beside a flood', beside)],
      notes: [
        `The flood is another person of the same tenant with ${floodConnections} reads under way: ${answered} answered, ${refused} refused with 429.`,
        'Everything shares the processors of one machine, the flood too: the ratio holds for that.',
      ],
    }
  })
}
