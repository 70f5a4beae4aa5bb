import { secretsOfRelease } from '../../secrets/chart-secrets.ts'
import { compareManifests } from '../manifest-diff.ts'
import { comparable, type ReleaseView, shownManifest } from '../release-view.ts'

interface Compared {
  before: string
  after: string
  view: ReleaseView
}

/** Everything that reads the texts of a release as a whole: they are what others write, and may take long. */
export const releaseJobs = {
  secrets: secretsOfRelease,
  shown: ({ manifest, view }: { manifest: string; view: ReleaseView }) => shownManifest(manifest, view),
  compared: ({ before, after, view }: Compared) => compareManifests(comparable(before, view), comparable(after, view)),
}
