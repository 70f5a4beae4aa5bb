const inCluster = /\.svc(\.cluster\.local)?$/

/** Tells whether a browser outside of the cluster can open an address as it stands. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//.test(address) && URL.canParse(address) && !inCluster.test(new URL(address).hostname)
}
