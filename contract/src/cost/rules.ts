/** Hours of a month, by which amounts per hour and per month are turned into each other. */
export const hoursOfMonth = 730
export const gib = 2 ** 30

/** The highest price, in any currency. */
export const highestPrice = 1_000_000
export const highestBudget = 1_000_000_000
export const longestCostReason = 500
export const mostStoragePrices = 50
/** Price sheets that are kept of one cluster. */
export const mostSheets = 200
export const mostRates = 200
/** Days after which an exchange rate counts as old. */
export const daysTillOldRate = 7
export const mostEstimateLines = 300

/** The list prices that OpenCost has for a cluster without prices of its own: a beginning that somebody may choose. */
export const openCostListPrices = {
  currency: 'USD',
  coreHour: 0.031611,
  memoryGibHour: 0.004237,
  storageGibMonth: 0.04,
} as const
