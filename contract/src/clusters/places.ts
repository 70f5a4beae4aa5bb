import type { Places } from '../http/place.ts'

declare module '../http/place.ts' {
  interface PlaceKinds {
    cluster: true
  }
}

export const clusterPlaces = {
  cluster: { visibleBy: 'space.view', unknown: 'cluster.not-found' },
} satisfies Places
