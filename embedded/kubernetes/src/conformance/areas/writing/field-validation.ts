import assert from 'node:assert/strict'
import { refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, pod } from '../../objects.ts'

export const fieldValidation = area('field validation', (check) => {
  const typo = (more: object = { replica: 3 }) => deployment('typo', more)
  check('Strict refuses an unknown field', async ({ post }) => {
    refused(
      await post('apps/v1/deployments?fieldValidation=Strict', typo()),
      400,
      'BadRequest',
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica"',
    )
  })
  check('Strict names every unknown field', async ({ post }) => {
    refused(
      await post('apps/v1/deployments?fieldValidation=Strict', { ...typo(), extra: 1 }),
      400,
      'BadRequest',
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica", unknown field "extra"',
    )
  })
  check('Strict refuses a field that is there twice', async ({ post }) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1","a":"2"}}'
    refused(
      await post('v1/configmaps?fieldValidation=Strict', body),
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
    )
  })
  check('Warn takes the object and warns', async ({ post }) => {
    const answer = await post('apps/v1/deployments?fieldValidation=Warn&dryRun=All', typo())
    assert.equal(answer.code, 201)
    assert.match(String(answer.headers.warning), /299 - "unknown field \\"spec\.replica\\""/)
  })
  check('Ignore takes the object and says nothing', async ({ post }) => {
    const answer = await post('apps/v1/deployments?fieldValidation=Ignore&dryRun=All', typo())
    assert.deepEqual([answer.code, answer.headers.warning], [201, undefined])
  })
  check('to warn is what happens when nothing is asked for', async ({ post }) => {
    const answer = await post('apps/v1/deployments?dryRun=All', typo())
    assert.equal(answer.code, 201)
    assert.match(String(answer.headers.warning), /unknown field/)
  })
  check('an unknown mode is refused', async ({ post }) => {
    const answer = await post('apps/v1/deployments?fieldValidation=Maybe', typo())
    refused(
      answer,
      422,
      'Invalid',
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    )
  })
  check('a number where a text belongs is refused with its place', async ({ post }) => {
    const body = { ...configMap('x'), data: { a: 1 } }
    refused(
      await post('v1/configmaps', body),
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    )
  })
  check('a text where a number belongs is refused with its place', async ({ post }) => {
    refused(
      await post('apps/v1/deployments', typo({ replicas: 'three' })),
      400,
      'BadRequest',
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    )
  })
  check('a quantity that is none is refused', async ({ post }) => {
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: 'lots' } } }]
    const answer = await post('v1/pods', { ...pod('x'), spec: { containers } })
    refused(answer, 400, 'BadRequest', /quantities must match the regular expression/)
  })
  check('patches are checked as well', async ({ make, patch }) => {
    await make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const answer = await patch('apps/v1/deployments/web?fieldValidation=Strict', 'application/merge-patch+json', {
      spec: { replica: 3 },
    })
    refused(answer, 422, 'Invalid', /strict decoding error: unknown field "spec\.replica"/)
  })
})
