import type { Icon } from '@tabler/icons-react'
import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'

const icons: Record<string, Icon> = {
  Release: IconPackage,
  Pod: IconBox,
  Service: IconRoute,
  Ingress: IconWorld,
  Deployment: IconStack2,
  ReplicaSet: IconStack2,
  DaemonSet: IconStack2,
  StatefulSet: IconDatabase,
  PersistentVolumeClaim: IconDatabase,
  Job: IconClock,
  CronJob: IconClock,
  ConfigMap: IconFileText,
  Secret: IconKey,
  ServiceAccount: IconUser,
}

export const iconOf = (kind: string): Icon => icons[kind] ?? IconPoint
