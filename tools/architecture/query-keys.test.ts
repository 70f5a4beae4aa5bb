import { expect, it } from 'vitest'
import { parseModule } from './module-syntax.ts'
import { queryNames } from './query-keys.ts'

const found = (text: string) => queryNames(parseModule('x.tsx', text))

it('finds keys and invalidations of queries', () => {
  expect(found(`useQuery({ queryKey: ['apps'], queryFn })`)).toEqual(['queryKey'])
  expect(found('void queries.invalidateQueries(query)')).toEqual(['invalidateQueries'])
  expect(found('const key = presetsQuery(api, id).queryKey')).toEqual(['queryKey'])
  expect(found('queries.setQueryData(key, now)')).toEqual(['setQueryData'])
})

it('leaves queries and mutations of web/src/api alone', () => {
  expect(found('const found = useQuery({ ...appQuery(api, id), enabled: true, select })')).toEqual([])
  expect(found('const change = useChangeApp(id); change.mutate(body, { onSuccess })')).toEqual([])
})
