import assert from 'node:assert/strict'
import { holds, invalid } from '../../answers.ts'
import { area } from '../../check.ts'

const ADMISSION = 'admissionregistration.k8s.io/v1'

const webhook = (more: object = {}) => ({
  name: 'check.example.com',
  clientConfig: { url: 'https://hooks.example.com/check' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
  ...more,
})

const configuration = (kind: string, name: string, ...webhooks: object[]) => ({
  apiVersion: ADMISSION,
  kind,
  metadata: { name },
  webhooks,
})

export const webhooks = area('webhook configurations', (check) => {
  check('a validating one gets defaults', async (t) => {
    const name = t.unique('hook')
    const made = await t.makeWide(
      `${ADMISSION}/validatingwebhookconfigurations`,
      configuration('ValidatingWebhookConfiguration', name, webhook()),
    )
    const [one] = made.webhooks
    holds(one, { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 })
    assert.deepEqual([one.namespaceSelector, one.objectSelector], [{}, {}])
    assert.equal(one.rules[0].scope, '*')
    assert.equal(made.metadata.generation, 1)
  })
  check('a mutating one is called once more never', async (t) => {
    const name = t.unique('hook')
    const body = configuration('MutatingWebhookConfiguration', name, webhook())
    const made = await t.makeWide(`${ADMISSION}/mutatingwebhookconfigurations`, body)
    assert.equal(made.webhooks[0].reinvocationPolicy, 'Never')
  })
  check('a service gets a port', async (t) => {
    const clientConfig = { service: { name: 's', namespace: 'n' } }
    const body = configuration('MutatingWebhookConfiguration', t.unique('hook'), webhook({ clientConfig }))
    const made = await t.makeWide(`${ADMISSION}/mutatingwebhookconfigurations`, body)
    assert.equal(made.webhooks[0].clientConfig.service.port, 443)
  })
  const mistakes: [string, object, string, RegExp | string][] = [
    ['a name of three parts', { name: 'check' }, 'webhooks[0].name', /should be a domain with at least three segments/],
    [
      'side effects',
      { sideEffects: 'Some' },
      'webhooks[0].sideEffects',
      'Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      'versions of the review',
      { admissionReviewVersions: [] },
      'webhooks[0].admissionReviewVersions',
      /must specify one of v1, v1beta1/,
    ],
    [
      'an address',
      { clientConfig: {} },
      'webhooks[0].clientConfig',
      'Required value: exactly one of url or service is required',
    ],
    [
      'a short wait',
      { timeoutSeconds: 31 },
      'webhooks[0].timeoutSeconds',
      'Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    ],
  ]
  for (const [what, more, field, why] of mistakes) {
    check(`a webhook needs ${what}`, async (t) => {
      const body = configuration('ValidatingWebhookConfiguration', t.unique('hook'), webhook(more))
      invalid(await t.post(`${ADMISSION}/validatingwebhookconfigurations`, body), [field, why])
    })
  }
})
