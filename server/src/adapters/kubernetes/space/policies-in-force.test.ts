import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { KubeObject } from '../kubernetes.ts'
import { KubeRefusal } from '../transport.ts'
import { policiesInForce } from './policies-in-force.ts'
import { policyKind, policyNames, probeOf, spacePolicies } from './space-policies.ts'

/** A cluster that answers each dry run as it is told. */
function cluster(answer: (object: KubeObject) => Error | undefined) {
  const asked: string[] = []
  return {
    asked,
    async apply(_: string, object: KubeObject, options?: { dryRun?: boolean }): Promise<KubeObject> {
      expect(options).toEqual({ dryRun: true })
      asked.push(object.metadata.name)
      const refusal = answer(object)
      if (refusal) throw refusal
      return object
    },
  }
}

const refusedBy = (policy: string) =>
  new KubeRefusal(403, 'Forbidden', `x is forbidden: ValidatingAdmissionPolicy '${policy}' denied request: in force`)
const policyOf = ({ metadata: { name } }: KubeObject) => policyNames.find((policy) => probeOf(policy) === name) ?? ''

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('waiting for the policies of spaces', () => {
  it('asks each once where all are in force', async () => {
    const own = cluster((object) => refusedBy(policyOf(object)))
    const onWait = vi.fn()
    await policiesInForce(own, 'team', { onWait })
    expect(own.asked.sort()).toEqual(policyNames.map(probeOf).sort())
    expect(onWait).not.toHaveBeenCalled()
  })

  it('goes on asking for those that are not, says so once, and ends when they are', async () => {
    let isLate = true
    const own = cluster((object) => {
      const policy = policyOf(object)
      return policy === 'quayside-own-bindings' && isLate ? undefined : refusedBy(policy)
    })
    const onWait = vi.fn()
    const waited = policiesInForce(own, 'team', { onWait })
    await vi.advanceTimersByTimeAsync(5000)
    isLate = false
    await vi.advanceTimersByTimeAsync(1000)
    await waited
    expect(onWait.mock.calls).toEqual([[['quayside-own-bindings']]])
    expect(own.asked.filter((name) => name === probeOf('quayside-lasting-tokens'))).toHaveLength(1)
  })

  it.each([
    ['lets it pass', undefined],
    ['refuses it for the lack of rights', new KubeRefusal(403, 'Forbidden', 'secrets is forbidden: User cannot')],
    ['refuses it by a policy of somebody else', refusedBy('no-secrets')],
  ])('gives up in the end where the cluster %s', async (_, answer) => {
    const own = cluster(() => answer)
    const waited = expect(policiesInForce(own, 'team')).rejects.toThrow(
      /does not enforce quayside-judged-revisions, quayside-lasting-tokens, quayside-own-bindings, quayside-own-namespace, quayside-own-networks, quayside-own-priorities, quayside-own-services in the namespace team/,
    )
    await vi.advanceTimersByTimeAsync(31_000)
    await waited
  })

  it('leaves it to its caller to wait for a cluster that is away', async () => {
    const away = new KubeRefusal(503, '', 'The cluster answered with status 503.')
    await expect(
      policiesInForce(
        cluster(() => away),
        'team',
      ),
    ).rejects.toBe(away)
  })
})

it('asks in vain where the rules in force are those of another version', () => {
  const served = { apiVersion: policyKind.replace(/\/[^/]*$/, ''), kind: policyKind.split('/').at(-1) ?? '' }
  const made = spacePolicies([{ ...served, namespaced: false, resource: '', parts: [] }], {})
  for (const policy of policyNames) {
    const spec = made.find(({ object }) => object.metadata.name === policy)?.object.spec
    expect(JSON.stringify(spec)).toContain(probeOf(policy))
  }
  expect(new Set(policyNames.map(probeOf)).size).toBe(policyNames.length)
})
