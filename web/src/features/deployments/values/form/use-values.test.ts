import { openValues } from '@quayside/values/form/values-model'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useValues } from './use-values.ts'

it('reads a text once that is known already, and another one for itself', () => {
  const known = openValues('a: 1\n', undefined)
  const rest = { schema: undefined, isForm: true, known, onChange: () => {} }
  const { result, rerender } = renderHook((yaml: string) => useValues({ ...rest, yaml }), { initialProps: 'a: 1\n' })
  expect(result.current.model.fields).toBe(known.fields)
  rerender('a: 2\n')
  expect(result.current.model.value).toEqual({ a: 2 })
  rerender('a: 1\n')
  expect(result.current.model.fields).toBe(known.fields)
})
