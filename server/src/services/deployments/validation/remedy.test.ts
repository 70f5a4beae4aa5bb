import { expect, test } from 'vitest'
import type { HelmOutcome, RenderInput } from '../../../adapters/helm/helm.ts'
import { remedyFor } from './remedy.ts'
import type { Subject } from './validation-stages.ts'

const policy = (name: string) => `---
# Source: shop/charts/db/templates/${name}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec: {podSelector: {}, egress: [{}]}
`

/** A chart with a refused policy, rendered by something else than Helm. */
function refused(template: (values: string, signal?: AbortSignal) => Promise<Partial<HelmOutcome>>) {
  const rendered: string[] = []
  const helm = {
    template: async ({ values }: RenderInput, run?: { signal?: AbortSignal }) => {
      rendered.push(values)
      return { ended: 'exit', code: 0, stdout: '', ...(await template(values, run?.signal)) }
    },
  }
  const subject = {
    ...{ deps: { helm }, actor: { tenantId: 't1' }, app: { namespace: 'n' }, mayWriteYaml: true },
    ...{ chosen: { valuesYaml: 'networkPolicy: {enabled: true}\n' }, yaml: 'a: 1\n', values: { a: 1 } },
    shared: { render: {}, refusedPolicies: ['shop/charts/db/templates/primary/policy.yaml'] },
  }
  return { subject: subject as unknown as Subject, rendered }
}

test('only the switch of the refused policy is offered where it is enough', async () => {
  const { subject, rendered } = refused(async () => ({}))
  expect(await remedyFor(subject, new AbortController().signal)).toEqual([
    { path: ['db', 'primary', 'networkPolicy', 'enabled'], value: false },
  ])
  expect(rendered).toHaveLength(1)
})

test('a search that takes too long ends the rendering that runs, and begins no other', async () => {
  const late = new AbortController()
  const { subject, rendered } = refused(async (_, signal) => {
    const { promise, resolve } = Promise.withResolvers<Partial<HelmOutcome>>()
    signal?.addEventListener('abort', () => resolve({ ended: 'aborted', code: null }))
    late.abort()
    if (!signal) resolve({ stdout: policy('primary/policy.yaml') })
    return promise
  })
  expect(await remedyFor(subject, late.signal)).toEqual([])
  expect(rendered).toHaveLength(1)
})

test('without a time limit everything that may help is tried', async () => {
  const { subject, rendered } = refused(async () => ({ stdout: policy('primary/policy.yaml') }))
  expect(await remedyFor(subject, new AbortController().signal)).toEqual([])
  expect(rendered).toHaveLength(4)
})
