/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;

/**
 * Holds each thread of another JVM that enters a method, until that JVM ends. The other
 * threads go on. It is a debugger, so the JVM runs the classes as they were published.
 */
public final class HeldMethod implements AutoCloseable {

	private static final String PATIENCE_MS = "180000";

	private final String type;

	private final String method;

	private final ListeningConnector connector;

	private final Map<String, Connector.Argument> arguments;

	private final String address;

	private final CompletableFuture<String> held = new CompletableFuture<>();

	private HeldMethod(String type, String method) throws IOException, IllegalConnectorArgumentsException {
		this.type = type;
		this.method = method;
		this.connector = Bootstrap.virtualMachineManager()
			.listeningConnectors()
			.stream()
			.filter((candidate) -> candidate.transport().name().equals("dt_socket"))
			.findFirst()
			.orElseThrow();
		this.arguments = this.connector.defaultArguments();
		this.arguments.get("localAddress").setValue("127.0.0.1");
		this.arguments.get("port").setValue("0");
		this.arguments.get("timeout").setValue(PATIENCE_MS);
		this.address = this.connector.startListening(this.arguments);
	}

	/**
	 * Hold a method in the JVM that is started next with {@link #option}.
	 * @param type the name of its class
	 * @param method its name, for all its overloads
	 * @return the method
	 */
	public static HeldMethod of(String type, String method) {
		try {
			HeldMethod held = new HeldMethod(type, method);
			Thread debugger = new Thread(held::debug, "held-method");
			debugger.setDaemon(true);
			debugger.start();
			return held;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (IllegalConnectorArgumentsException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the option of the JVM whose threads are held.
	 * @return the option
	 */
	public String option() {
		return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + this.address;
	}

	/**
	 * Wait until the method holds a thread.
	 * @return the name of the thread
	 */
	public String awaitThread() {
		return this.held.orTimeout(Long.parseLong(PATIENCE_MS), TimeUnit.MILLISECONDS).join();
	}

	@Override
	public void close() {
		try {
			this.connector.stopListening(this.arguments);
		}
		catch (IOException | IllegalConnectorArgumentsException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void debug() {
		try {
			VirtualMachine machine = this.connector.accept(this.arguments);
			ClassPrepareRequest loaded = machine.eventRequestManager().createClassPrepareRequest();
			loaded.addClassFilter(this.type);
			loaded.enable();
			while (true) {
				handle(machine.eventQueue().remove());
			}
		}
		catch (InterruptedException | IOException | IllegalConnectorArgumentsException | VMDisconnectedException ex) {
			this.held.completeExceptionally(ex);
		}
	}

	private void handle(EventSet events) {
		boolean holds = false;
		for (Event event : events) {
			if (event instanceof ClassPrepareEvent loaded) {
				loaded.referenceType().methodsByName(this.method).forEach(this::hold);
			}
			else if (event instanceof BreakpointEvent entered) {
				holds = true;
				this.held.complete(entered.thread().name());
			}
		}
		if (!holds) {
			events.resume();
		}
	}

	private void hold(Method entered) {
		ReferenceType owner = entered.declaringType();
		if (!entered.isAbstract() && owner.name().equals(this.type)) {
			BreakpointRequest request = entered.virtualMachine()
				.eventRequestManager()
				.createBreakpointRequest(entered.location());
			request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
			request.enable();
		}
	}

}
