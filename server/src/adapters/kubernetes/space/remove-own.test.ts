import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../kubernetes.ts'
import { removeOwn } from './portal-namespace.ts'

const resource = 'rbac.authorization.k8s.io/v1/rolebindings'
const binding = (uid: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'one', namespace: 'team', uid, resourceVersion, finalizers: ['example.com/hold'] },
})

/** A cluster with one binding that is held, where somebody changes it as often as is said before each write. */
function cluster(changes: number, after: KubeObject | undefined) {
  const written: KubeObject[] = []
  let left = changes
  return {
    written,
    get: async () => (left >= 0 ? binding('a', '2') : after),
    remove: async () => binding('a', '1'),
    async replace(_: string, object: KubeObject) {
      left -= 1
      if (left >= 0 || after) throw new Error('the object has been modified')
      written.push(object)
      return object
    },
  }
}

describe('removing an object of the portal that somebody holds', () => {
  it('drops every finalizer', async () => {
    const held = cluster(0, undefined)
    await removeOwn(held, resource, 'team', 'one')
    expect(held.written.map(({ metadata }) => metadata.finalizers)).toEqual([[]])
  })

  it('reads it again when somebody changes it meanwhile', async () => {
    const held = cluster(2, undefined)
    await removeOwn(held, resource, 'team', 'one')
    expect(held.written.map(({ metadata }) => metadata.resourceVersion)).toEqual(['2'])
  })

  it('leaves another object that stands there by now alone', async () => {
    const held = cluster(0, binding('b', '9'))
    await removeOwn(held, resource, 'team', 'one')
    expect(held.written).toEqual([])
  })

  it('does not take for gone what goes on being held', async () => {
    await expect(removeOwn(cluster(3, undefined), resource, 'team', 'one')).rejects.toThrow('has been modified')
  })
})
