import type { PriceSheet, PriceSheetInput } from '@quayside/contract/cost/prices'
import { openCostListPrices } from '@quayside/contract/cost/rules'

/** Prices as they are typed. */
export interface PriceForm {
  currency: string
  coreHour: string
  memoryGibHour: string
  storage: { storageClass: string; gibMonth: string }[]
  loadBalancerHour: string
  overheadHour: string
  /** In the reader's time zone; empty: now. */
  validFrom: string
}

export const emptyForm = (currency: string): PriceForm => ({
  ...{ currency, coreHour: '', memoryGibHour: '', loadBalancerHour: '', overheadHour: '', validFrom: '' },
  storage: [{ storageClass: '', gibMonth: '' }],
})

/** The prices of a sheet, to be changed. */
export function formOf(sheet: PriceSheet): PriceForm {
  const storage = sheet.storage.map(({ storageClass, gibMonth }) => ({
    storageClass: storageClass ?? '',
    gibMonth: plain(gibMonth),
  }))
  return {
    currency: sheet.currency,
    coreHour: plain(sheet.coreHour),
    memoryGibHour: plain(sheet.memoryGibHour),
    storage: storage.length > 0 ? storage : [{ storageClass: '', gibMonth: '' }],
    loadBalancerHour: plain(sheet.loadBalancerHour),
    overheadHour: plain(sheet.overheadHour),
    validFrom: '',
  }
}

export const listPrices = (): PriceForm => ({
  ...emptyForm(openCostListPrices.currency),
  coreHour: plain(openCostListPrices.coreHour),
  memoryGibHour: plain(openCostListPrices.memoryGibHour),
  storage: [{ storageClass: '', gibMonth: plain(openCostListPrices.storageGibMonth) }],
})

/** The body to send, or the fields that hold no price. */
export function readForm(form: PriceForm): { input: PriceSheetInput } | { wrong: Record<string, string> } {
  const wrong: Record<string, string> = {}
  const read = (field: string, text: string, isNeeded: boolean): number | null => {
    if (text.trim() === '') {
      if (isNeeded) wrong[field] = 'Enter a price.'
      return null
    }
    const value = Number(text.trim())
    if (Number.isFinite(value) && value >= 0) return value
    wrong[field] = 'Enter a price such as 0.03.'
    return null
  }
  const input: PriceSheetInput = {
    currency: form.currency,
    coreHour: read('coreHour', form.coreHour, true) ?? 0,
    memoryGibHour: read('memoryGibHour', form.memoryGibHour, true) ?? 0,
    storage: form.storage.flatMap(({ storageClass, gibMonth }, at) => {
      const price = read(`storage.${at}.gibMonth`, gibMonth, storageClass.trim() !== '')
      return price === null ? [] : [{ storageClass: storageClass.trim() || null, gibMonth: price }]
    }),
    loadBalancerHour: read('loadBalancerHour', form.loadBalancerHour, false),
    overheadHour: read('overheadHour', form.overheadHour, false),
    ...(form.validFrom === '' ? {} : { validFrom: new Date(form.validFrom).toISOString() }),
  }
  return Object.keys(wrong).length > 0 ? { wrong } : { input }
}

/** A number without an exponent, as people type it. */
function plain(value: number | null): string {
  if (value === null) return ''
  return new Intl.NumberFormat('en', { maximumFractionDigits: 12, useGrouping: false }).format(value)
}
