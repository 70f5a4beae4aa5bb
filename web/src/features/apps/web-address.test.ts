import { expect, it } from 'vitest'
import { isWebAddress } from './web-address.ts'

it('opens what is outside of the cluster only', () => {
  expect(isWebAddress('https://shop.example/start')).toBe(true)
  expect(isWebAddress('http://10.0.0.7:8080')).toBe(true)
  expect(isWebAddress('http://web.shop.svc:80')).toBe(false)
  expect(isWebAddress('http://web.shop.svc.cluster.local')).toBe(false)
  expect(isWebAddress('web.shop.svc:5432')).toBe(false)
  expect(isWebAddress('http://')).toBe(false)
})
