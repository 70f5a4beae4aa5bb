import { bareHelm } from './deployments/bare-helm.ts'
import { deployerOf } from './deployments/commands.ts'
import { followerOf } from './deployments/follower.ts'
import { withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { median, quantile, ratioOf, round } from './statistics.ts'

const rounds = 9
const goal = 1.05

/** A deployment through the portal against `helm install --wait` of the same chart, in turn. */
export function deploy(chart: string, bench: string): Promise<Report> {
  return withProduct(async (product) => {
    const deployer = await deployerOf(product, chart)
    const follower = await followerOf(product.url, deployer.token)

    const throughPortal = async (name: string) => {
      const assigned = await deployer.assign(name)
      await follower.follow(assigned.releaseName)
      const since = performance.now()
      const { actionId } = await deployer.deploy(assigned)
      const accepted = performance.now() - since
      const [heard] = await Promise.all([follower.when('Deploy', actionId), deployer.ended(actionId)])
      const ended = performance.now() - since
      follower.forget(assigned.releaseName)
      return { ...assigned, actionId, accepted, ended, heard: heard - since }
    }

    const { namespace, values } = await throughPortal('warm-up')
    const { version } = deployer.version
    const helm = await bareHelm({ dataDir: product.dataDir, namespace, chart, version })
    await helm.install('bare-warm-up', values)

    const portal: Awaited<ReturnType<typeof throughPortal>>[] = []
    const bare: number[] = []
    for (let at = 0; at < rounds; at += 1) {
      portal.push(await throughPortal(`round-${at}`))
      bare.push(await helm.install(`bare-${at}`, values))
    }
    follower.close()

    const ended = portal.map((one) => one.ended)
    const { ratio, low, high } = ratioOf(ended, bare)
    const row = (what: string, samples: number[]) => [
      what,
      round(median(samples)),
      round(quantile(samples, 0.95)),
      round(median(samples) / median(bare), 3),
    ]
    return {
      bench,
      columns: ['what', 'median ms', 'p95 ms', 'ratio to bare Helm'],
      rows: [
        row('helm install --wait', bare),
        row('portal: POST to final state', ended),
        row(
          'portal: POST to the last event on the socket',
          portal.map((one) => one.heard),
        ),
        row(
          'portal: POST to 202',
          portal.map((one) => one.accepted),
        ),
      ],
      notes: [
        `${chart} ${version}, ${rounds} rounds in turn after one warm-up each; Helm ${helm.version}.`,
        'Both sides: same namespace, package, values, and the account of the space. Releases stay until the end.',
        `Ratio ${round(ratio, 3)} (95 %: ${round(low, 3)} to ${round(high, 3)}), goal at most ${goal}.`,
        `Portal rounds: ${ended.map((one) => round(one)).join(' ')} ms`,
        `Helm rounds: ${bare.map((one) => round(one)).join(' ')} ms`,
      ],
      isGoalMet: ratio <= goal,
    }
  })
}
