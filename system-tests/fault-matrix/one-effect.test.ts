import { expect, test } from 'vitest'
import { startsOf, wrongRevisions } from './one-effect.ts'

const action = { id: 'a', kind: 'Upgrade', state: 'Success', starts: 1 } as const
const deployed = { revision: 2, status: 'deployed', action: 'a', description: 'Upgrade complete', madeAt: 0 }
const cut = { ...deployed, status: 'failed', description: 'Interrupted: Helm was interrupted' }

test('one revision of one start, and one more that failed of a start that was cut', () => {
  expect(wrongRevisions(action, [deployed])).toEqual([])
  expect(wrongRevisions({ ...action, starts: 2 }, [{ ...deployed, revision: 3 }, cut])).toEqual([])
  const overwritten = { ...cut, status: 'superseded' }
  expect(wrongRevisions({ ...action, starts: 2 }, [{ ...deployed, revision: 3 }, overwritten])).toEqual([])
  expect(wrongRevisions({ ...action, state: 'Failed' }, [cut])).toEqual([])
  expect(wrongRevisions({ ...action, kind: 'Delete' }, [])).toEqual([])
  expect(wrongRevisions({ ...action, kind: 'Assign', starts: 0 }, [])).toEqual([])
})

test('an effect twice is found, as is none, one of nobody and one of a failure', () => {
  const twice = [
    { ...deployed, revision: 3 },
    { ...deployed, status: 'superseded' },
  ]
  expect(wrongRevisions({ ...action, starts: 2 }, twice)).toHaveLength(1)
  expect(wrongRevisions(action, twice)).toHaveLength(2)
  expect(wrongRevisions(action, [])).toHaveLength(1)
  expect(wrongRevisions({ ...action, state: 'Failed' }, [deployed])).toHaveLength(1)
  expect(wrongRevisions(action, [{ ...deployed, action: 'b' }])).toHaveLength(1)
  expect(wrongRevisions({ ...action, kind: 'Rollback' }, [{ ...deployed, action: 'b' }])).toEqual([])
  expect(wrongRevisions({ ...action, kind: 'Delete' }, [deployed])).toHaveLength(2)
})

test('starts of Helm are counted in the log, without those that were turned away', () => {
  const away = 'The API of the cluster is not available to Helm, 503: trying again in 1 s'
  expect(startsOf(['Starting to Upgrade App', 'Upgrading release web', away, 'Upgrading release web'])).toBe(1)
  expect(startsOf(['Installing release web', 'Upgrading release web', 'chart: Upgrading release web'])).toBe(2)
  expect(startsOf(['Rolling back app1 to revision 2 ...', 'Deleting release web'])).toBe(2)
  expect(startsOf([])).toBe(0)
})
