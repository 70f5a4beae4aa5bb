/** The version of Kubernetes whose manners this API has. */
export const VERSION = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2025-12-17T00:00:00Z',
  goVersion: 'go1.25.5',
  compiler: 'gc',
  platform: 'linux/amd64',
}
