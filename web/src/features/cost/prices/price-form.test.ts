import { expect, test } from 'vitest'
import { emptyForm, formOf, listPrices, readForm } from './price-form.ts'

test('the list prices are a beginning that can be sent as it is', () => {
  expect(readForm(listPrices())).toEqual({
    input: {
      ...{ currency: 'USD', coreHour: 0.031611, memoryGibHour: 0.004237 },
      storage: [{ storageClass: null, gibMonth: 0.04 }],
      ...{ loadBalancerHour: null, overheadHour: null },
    },
  })
})

test('an empty price is none, which is not 0, and what is needed is named', () => {
  expect(readForm(emptyForm('EUR'))).toEqual({
    wrong: { coreHour: 'Enter a price.', memoryGibHour: 'Enter a price.' },
  })
  const form = { ...emptyForm('EUR'), coreHour: '1,5', memoryGibHour: '-1', overheadHour: 'x' }
  const wrong = 'Enter a price such as 0.03.'
  expect(readForm(form)).toEqual({ wrong: { coreHour: wrong, memoryGibHour: wrong, overheadHour: wrong } })
  const storage = [{ storageClass: 'fast', gibMonth: '' }]
  expect(readForm({ ...listPrices(), storage })).toEqual({ wrong: { 'storage.0.gibMonth': 'Enter a price.' } })
})

test('a sheet comes back as it was', () => {
  const input = {
    ...{ currency: 'CHF', coreHour: 0.0000004, memoryGibHour: 1, loadBalancerHour: 0.025, overheadHour: 0 },
    storage: [
      { storageClass: 'fast', gibMonth: 0.2 },
      { storageClass: null, gibMonth: 0.1 },
    ],
  }
  const sheet = { ...input, validFrom: '', createdAt: '', createdBy: '' }
  expect(readForm(formOf(sheet))).toEqual({ input })
})
