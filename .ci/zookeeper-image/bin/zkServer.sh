#!/bin/bash
# The two commands of the distribution's script that a container needs.
set -e

class_path="$ZOOCFGDIR:$ZOOKEEPER_HOME/lib/*"
port=${ZOO_CLIENT_PORT:-2181}

case $1 in
	start-foreground)
		# shellcheck disable=SC2086
		exec java "-Xmx${ZK_SERVER_HEAP:-1000}m" "-Dzookeeper.log.dir=$ZOO_LOG_DIR" $SERVER_JVMFLAGS $JVMFLAGS \
			-cp "$class_path" org.apache.zookeeper.server.quorum.QuorumPeerMain "$ZOOCFGDIR/zoo.cfg"
		;;
	status)
		java -cp "$class_path" org.apache.zookeeper.client.FourLetterWordMain localhost "$port" srvr 2>/dev/null | grep Mode
		;;
	*)
		echo "Usage: $0 {start-foreground|status}" >&2
		exit 1
		;;
esac
