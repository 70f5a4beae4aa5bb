import { fieldsOf } from '@quayside/contract/values/fields'
import { describe, expect, it } from 'vitest'
import { countChanges, findFields, groupsOf, problemOf, valueAt } from './field-tree.ts'

const yaml = `# How many run
replicas: 2
name: web
# @HIDDEN
internal: x
image:
  # Where the image comes from
  repository: nginx
  pull:
    policy: Always
`

describe('the tree of fields', () => {
  const fields = fieldsOf(yaml)

  it('groups top-level objects and keeps what is hidden out', () => {
    expect(groupsOf(fields).map(({ label, count }) => [label, count])).toEqual([
      ['General', 2],
      ['Image', 2],
    ])
  })

  it('finds by name, by label and by comment', () => {
    const paths = (text: string) => findFields(fields, text).map(({ path }) => path.join('.'))
    expect(paths('policy')).toEqual(['image.pull.policy'])
    expect(paths('where the image')).toEqual(['image.repository'])
    expect(paths('internal')).toEqual([])
  })

  it('counts what differs from the defaults', () => {
    expect(countChanges(fieldsOf(yaml.replace('replicas: 2', 'replicas: 3').replace('web', 'shop')), fields)).toBe(2)
    expect(countChanges(fields, fields)).toBe(0)
    expect(valueAt(fields, ['image', 'pull', 'policy'])).toBe('Always')
  })

  it('says the message of the rule that fails', () => {
    const [replicas] = fieldsOf('replicas: 2', {
      type: 'object',
      properties: { replicas: { type: 'integer', minimum: 1 } },
    })
    expect(replicas && problemOf(replicas, 2)).toBeUndefined()
    expect(replicas && problemOf(replicas, 0)).toEqual(expect.any(String))
  })
})
