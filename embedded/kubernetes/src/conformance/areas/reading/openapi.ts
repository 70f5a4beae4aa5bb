import assert from 'node:assert/strict'
import { type Body, holds } from '../../answers.ts'
import { area } from '../../check.ts'

/** The index is JSON that calls itself plain text. */
const indexOf = (body: Body): Body => (typeof body === 'string' ? JSON.parse(body) : body).paths

export const openapi = area('openapi', (check) => {
  check('the index names a document for every version', async ({ get }) => {
    const paths = indexOf((await get('/openapi/v3')).body)
    for (const path of ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/networking.k8s.io/v1'])
      assert.match(paths[path].serverRelativeURL, new RegExp(`^/openapi/v3/${path}\\?hash=`))
  })
  check('a document describes its kinds', async ({ get }) => {
    const { body } = await get('/openapi/v3/apis/apps/v1')
    assert.match(body.openapi, /^3\.0/)
    const schema = body.components.schemas['io.k8s.api.apps.v1.Deployment']
    assert.deepEqual(schema['x-kubernetes-group-version-kind'], [{ group: 'apps', kind: 'Deployment', version: 'v1' }])
    assert.ok(schema.properties.spec.description)
    const spec = body.components.schemas['io.k8s.api.apps.v1.DeploymentSpec']
    assert.deepEqual(spec.required, ['selector', 'template'])
    holds(spec.properties.replicas, { type: 'integer', format: 'int32' })
  })
  check('a document describes its paths', async ({ get }) => {
    const { paths } = (await get('/openapi/v3/apis/apps/v1')).body
    const path = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale']
    assert.equal(path.patch['x-kubernetes-action'], 'patch')
    assert.deepEqual(path.get['x-kubernetes-group-version-kind'], {
      group: 'autoscaling',
      kind: 'Scale',
      version: 'v1',
    })
  })
  check('lists say by what their entries are told apart', async ({ get }) => {
    const { schemas } = (await get('/openapi/v3/api/v1')).body.components
    const { containers, volumes } = schemas['io.k8s.api.core.v1.PodSpec'].properties
    holds(containers, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
    holds(volumes, { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge,retainKeys' })
  })
  check('quantities and int-or-string keep their forms', async ({ get }) => {
    const { schemas } = (await get('/openapi/v3/api/v1')).body.components
    assert.equal(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString'].format, 'int-or-string')
    assert.ok(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity'])
  })
  check('a document asked for by its sum may be kept for ever', async ({ get }) => {
    const { serverRelativeURL } = indexOf((await get('/openapi/v3')).body)['apis/apps/v1']
    const { headers } = await get(serverRelativeURL)
    assert.match(String(headers['cache-control']), /public|immutable/)
    assert.ok(headers.etag)
    const again = await get('/openapi/v3/apis/apps/v1', { headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.code, 304)
  })
  check('a version that is not there has no document', async ({ get }) => {
    assert.equal((await get('/openapi/v3/apis/nowhere.example.com/v1')).code, 404)
  })
  check('version 2 is still published', async ({ get }) => {
    const { body } = await get('/openapi/v2')
    assert.equal(body.swagger, '2.0')
  })
})
