import { limits } from '@quayside/contract/http/limits'
import { yamlLimits } from '@quayside/values/yaml/yaml-guard'
import { expect, test } from 'vitest'

test('the library of values reads as much by itself as the contract lets anybody send', () => {
  expect(yamlLimits.maxBytes).toBe(limits.valuesBytes)
})
