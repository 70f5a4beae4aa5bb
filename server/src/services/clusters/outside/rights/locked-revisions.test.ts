import { describe, expect, it, test } from 'vitest'
import type { KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { judgedFor } from '../../../../adapters/kubernetes/space/judged-revisions.ts'
import { KubeRefusal } from '../../../../adapters/kubernetes/transport.ts'
import { lockRevision, unlockForgotten, unlockRevision } from './locked-revisions.ts'

const lock = { namespace: 'team-a', name: 'sh.helm.release.v1.web.v1', account: 'space-s-a' }

/** A cluster with one Secret, which others write as often as `conflicts` says. */
function cluster(metadata: Partial<KubeObject['metadata']> | undefined, conflicts = 0) {
  let left = conflicts
  let secret: KubeObject | undefined = metadata && {
    ...{ apiVersion: 'v1', kind: 'Secret', data: { release: 'x' } },
    metadata: { name: lock.name, namespace: lock.namespace, ...metadata },
  }
  return {
    marks: () => secret?.metadata.annotations,
    async get() {
      return secret
    },
    async list() {
      return secret ? [secret] : []
    },
    async replace(_: string, object: KubeObject) {
      left -= 1
      if (left >= 0) throw new KubeRefusal(409, 'Conflict', 'the object has been modified')
      secret = object
      return object
    },
  }
}

describe('locking a revision', () => {
  it('marks it for the account, whoever has marked it before and while others write it', async () => {
    const at = cluster({ annotations: { [judgedFor]: 'other', mine: 'stays' } }, 3)
    const locked = await lockRevision(at, lock)
    expect(locked?.metadata.annotations).toEqual({ [judgedFor]: 'space-s-a', mine: 'stays' })
    expect(locked?.data).toEqual({ release: 'x' })
  })

  it('takes its owners off, with which the cluster would remove it', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'one', uid: 'u' }]
    expect((await lockRevision(cluster({ ownerReferences }), lock))?.metadata).not.toHaveProperty('ownerReferences')
  })

  it('is refused for one that only waits for its finalizers', async () => {
    const at = cluster({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] })
    await expect(lockRevision(at, lock)).rejects.toThrow(/is just being deleted/)
  })

  it('gives up where others write it again and again', async () => {
    await expect(lockRevision(cluster({}, 1000), lock)).rejects.toThrow(/has been modified/)
  })

  it('finds none that is gone', async () => {
    expect(await lockRevision(cluster(undefined), lock)).toBeUndefined()
  })
})

describe('unlocking a revision', () => {
  it.each([
    ['of the account', 'space-s-a', {}],
    ['of another action', 'space-s-b', { [judgedFor]: 'space-s-b' }],
  ])('leaves of a mark %s what is due', async (_, of, left) => {
    const at = cluster({ annotations: { [judgedFor]: of } }, 1)
    await unlockRevision(at, lock)
    expect(at.marks()).toEqual(left)
  })

  test('is nothing where Helm has written or removed the Secret', async () => {
    const written = cluster({})
    await unlockRevision(written, lock)
    expect(written.marks()).toBeUndefined()
    await unlockRevision(cluster(undefined), lock)
  })

  it('takes the marks off that no action accounts for', async () => {
    const at = cluster({ annotations: { [judgedFor]: 'space-s-a' } })
    expect(await unlockForgotten(at, 'team-a', async () => new Set(['space-s-a']))).toEqual([])
    expect(at.marks()).toEqual({ [judgedFor]: 'space-s-a' })
    expect(await unlockForgotten(at, 'team-a', async () => new Set(['space-s-b']))).toEqual([lock.name])
    expect(at.marks()).toEqual({})
  })
})
