#!/bin/bash
# shellcheck disable=SC2086
exec java $CLIENT_JVMFLAGS $JVMFLAGS -cp "$ZOOCFGDIR:$ZOOKEEPER_HOME/lib/*" org.apache.zookeeper.ZooKeeperMain "$@"
