import type { Places } from '../http/place.ts'

declare module '../http/place.ts' {
  interface PlaceKinds {
    action: true
    preset: true
  }
}

export const deploymentPlaces = {
  action: { visibleBy: 'app.view', unknown: 'deployment.action-not-found' },
  preset: { visibleBy: 'app.view', unknown: 'preset.not-found' },
} satisfies Places
