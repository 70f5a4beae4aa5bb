import { deployerOf } from './deployments/commands.ts'
import { followerOf } from './deployments/follower.ts'
import { withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { median, quantile, round } from './statistics.ts'

const rounds = 12

/** How long a person waits for the 202 of a deployment, and how long an event takes from its row to their browser. */
export function accept(): Promise<Report> {
  return withProduct(async (product) => {
    const deployer = await deployerOf(product, 'web-page')
    const follower = await followerOf(product.url, deployer.token)
    const accepted: number[] = []
    const first: number[] = []
    const delays: number[] = []
    const floor: number[] = []
    for (let at = 0; at <= rounds; at += 1) {
      const assigned = await deployer.assign(`Accepted ${at}`)
      await follower.follow(assigned.releaseName)
      const health = performance.now()
      await fetch(`${product.url}/healthz`).then((answer) => answer.text())
      const since = performance.now()
      const { actionId } = await deployer.deploy(assigned)
      const until = performance.now()
      const started = await follower.when('message', actionId)
      await follower.when('Deploy', actionId)
      follower.forget(assigned.releaseName)
      // The first round warms everything up.
      if (at === 0) continue
      floor.push(since - health)
      accepted.push(until - since)
      first.push(started - since)
      delays.push(...delaysOf(follower.heard, actionId))
    }
    follower.close()
    const row = (what: string, samples: number[]) => [
      what,
      round(median(samples), 1),
      round(quantile(samples, 0.99), 1),
      round(median(samples) / median(floor), 1),
    ]
    return {
      bench: 'accept',
      columns: ['what', 'median ms', 'p99 ms', 'ratio to a health check'],
      rows: [
        row('floor: a health check over the same HTTP', floor),
        row('POST to 202', accepted),
        row('POST to the first event on the socket', first),
        row('event: stamp of its row to the socket', delays),
      ],
      notes: [
        `${rounds} deployments of web-page, ${delays.length} events.`,
        'The stamp of a row is the beginning of the transaction that wrote it; both clocks are the same machine.',
      ],
    }
  })
}

function delaysOf(heard: Awaited<ReturnType<typeof followerOf>>['heard'], actionId: string): number[] {
  return heard.flatMap(({ at, payload }) =>
    payload.actionId === actionId && payload.at ? [performance.timeOrigin + at - new Date(payload.at).getTime()] : [],
  )
}
