#!/bin/bash
# Turns the environment variables of the official image into zoo.cfg and myid, then runs the command.
set -e

write_config() {
	cat <<-CONFIG
		dataDir=$ZOO_DATA_DIR
		dataLogDir=$ZOO_DATA_LOG_DIR
		tickTime=$ZOO_TICK_TIME
		initLimit=$ZOO_INIT_LIMIT
		syncLimit=$ZOO_SYNC_LIMIT
		autopurge.snapRetainCount=$ZOO_AUTOPURGE_SNAPRETAINCOUNT
		autopurge.purgeInterval=$ZOO_AUTOPURGE_PURGEINTERVAL
		maxClientCnxns=$ZOO_MAX_CLIENT_CNXNS
		standaloneEnabled=$ZOO_STANDALONE_ENABLED
		admin.enableServer=$ZOO_ADMINSERVER_ENABLED
	CONFIG
	# Both variables are lists of entries separated by white space.
	# shellcheck disable=SC2086
	printf '%s\n' ${ZOO_SERVERS:-server.1=localhost:2888:3888;2181} $ZOO_CFG_EXTRA
	if [[ $ZOO_4LW_COMMANDS_WHITELIST ]]; then
		echo "4lw.commands.whitelist=$ZOO_4LW_COMMANDS_WHITELIST"
	fi
}

# The server itself never runs as root.
if [[ $1 == zkServer.sh ]] && ((EUID == 0)); then
	chown -R zookeeper "$ZOO_DATA_DIR" "$ZOO_DATA_LOG_DIR" "$ZOO_LOG_DIR"
	exec setpriv --reuid=zookeeper --regid=zookeeper --init-groups -- "$0" "$@"
fi

# What a user mounted or an earlier start wrote stays.
[[ -f $ZOO_CONF_DIR/zoo.cfg ]] || write_config >"$ZOO_CONF_DIR/zoo.cfg"
[[ -f $ZOO_DATA_DIR/myid ]] || echo "${ZOO_MY_ID:-1}" >"$ZOO_DATA_DIR/myid"

exec "$@"
